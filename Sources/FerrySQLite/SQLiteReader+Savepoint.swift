// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryStore

extension SQLiteReader {
  /// Does something in a write transaction; an error takes back what it did.
  ///
  /// - Throws: The error of the closure. It says so if a rule of the database has ended the whole transaction.
  func inSavepoint<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try statement("SAVEPOINT ferry_attempt").run()
    do throws(StoreError) {
      let result = try body()
      try statement("RELEASE ferry_attempt").run()
      return result
    } catch {
      guard connection.isInTransaction else { throw error.endingTransaction }
      // They may lack an id whose removal is taken back.
      connection.entangledIDs = EntangledIDsOfClasses()
      try statement("ROLLBACK TO ferry_attempt").run()
      try statement("RELEASE ferry_attempt").run()
      throw error
    }
  }
}

extension StoreError {
  /// The error of a rule that also ended the transaction.
  fileprivate var endingTransaction: StoreError {
    var error = self
    if error.refusal == .row { error.refusal = .transaction }
    return error
  }
}
