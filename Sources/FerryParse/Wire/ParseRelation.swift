// Ferry: offline-first sync for Parse Server. MIT licence.

/// Relations on the wire: `{"__type":"Relation","className":"Player"}`.
///
/// Read only: their members live in a table of the server's own, and change by operations.
package enum ParseRelation {
  package static func read(_ element: JSONElement) -> String? {
    element.isTyped("Relation") ? element["className"]?.string : nil
  }
}
