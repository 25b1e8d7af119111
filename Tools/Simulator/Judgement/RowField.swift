// Ferry: offline-first sync for Parse Server. MIT licence.

/// A field of a row.
struct RowField: Hashable, Sendable {
  var row: String
  var field: String
}
