// Ferry: offline-first sync for Parse Server. MIT licence.

/// How many rows have edits that nobody has folded, because the schema leaves out their class or field.
package struct UnfoldedRowCounts: Sendable, Equatable {
  /// The rows without an entry, for each class that the store keeps and the schema leaves out; 0 for a
  /// class without such rows.
  package var classes: [String: Int]
  /// The rows by class and field, for each field of a registered class that the schema leaves out; only
  /// fields with such rows are there.
  package var fields: [String: [String: Int]] = [:]
  /// The rows with an edit of any such field, by class: a row with edits of two of them counts once.
  package var rowsByFields: [String: Int] = [:]

  package init(classes: [String: Int] = [:]) { self.classes = classes }
}
