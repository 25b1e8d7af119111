// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// A write transaction of the app in a store of Ferry's own, which captures what it does.
package protocol CapturedTransaction: StoreTransaction, SyncReader {
  /// Inserts a row that the app deleted, under its object id and its local id.
  ///
  /// The row gets a new local id where another row has the old one.
  ///
  /// - Throws: `StoreError`, as `insert`.
  func insertAgain(_ row: RecordReference, _ fields: Fields) throws(StoreError)
}
