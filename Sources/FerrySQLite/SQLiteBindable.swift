// Ferry: offline-first sync for Parse Server. MIT licence.

/// A value that can be bound to a parameter of a statement.
protocol SQLiteBindable {
  func bind(to statement: SQLiteStatement, at index: Int32) throws
}
