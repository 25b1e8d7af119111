// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryStore

/// A value that can be bound to a parameter of a statement.
protocol SQLiteBindable {
  func bind(to statement: SQLiteStatement, at index: Int32) throws(StoreError)
}
