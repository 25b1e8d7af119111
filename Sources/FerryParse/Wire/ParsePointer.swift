// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// Pointers on the wire: `{"__type":"Pointer","className":"League","objectId":"q1w2e3r4t5"}`.
package enum ParsePointer {
  package static func read(_ element: JSONElement) -> Pointer? {
    guard element.isTyped("Pointer"), let className = element["className"]?.string,
      let objectID = element["objectId"]?.string
    else { return nil }
    return Pointer(className: className, objectID: objectID)
  }
}
