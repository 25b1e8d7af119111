// Ferry: offline-first sync for Parse Server. MIT licence.

/// What can stand for a parameter of a statement.
protocol SQLiteBindable {
  func bind(to statement: SQLiteStatement, at index: Int32) throws
}
