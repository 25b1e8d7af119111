// Ferry: offline-first sync for Parse Server. MIT licence.

/// Relations on the wire: `{"__type":"Relation","className":"Player"}`.
///
/// Read only: the server keeps the members in an internal table, and only operations change them.
package enum ParseRelation {
  package static func read(_ element: JSONElement) -> String? {
    element.isTyped("Relation") ? element["className"]?.string : nil
  }
}
