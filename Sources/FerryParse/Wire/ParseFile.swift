// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// Files on the wire: `{"__type":"File","name":"…_badge.png","url":"https://…"}`.
///
/// The server makes a new URL for every read. A file written without URL has crashed servers.
package enum ParseFile {
  package static func read(_ element: JSONElement) -> File? {
    guard element.isTyped("File"), let name = element["name"]?.string else { return nil }
    return File(name: name, url: element["url"]?.string)
  }
}
