// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel
package import FerryPlanning

/// A write transaction of the app in a store of Ferry's own, which captures what it does.
package protocol CapturedTransaction: StoreTransaction, SyncReader {
  /// Inserts a row that the app deleted, under its object id and its local id, with an access control list unless that
  /// is null.
  ///
  /// The row gets a new local id where the reference has none, and where another row has it.
  ///
  /// - Throws: `StoreError`, as `insert`; also if a trigger of another program removes the row again.
  func insertAgain(_ row: RecordReference, _ fields: Fields, acl: Value) throws(StoreError)
  /// How the note in history names the transaction: as an edit, unless this is set.
  var step: TransactionNote.Step { get nonmutating set }
  /// Notes that a transaction is undone.
  func setUndone(_ note: TransactionNote) throws(StoreError)
  /// Whether the table of a class has fields that only other programs declare.
  func hasUndeclaredFields(in className: String) throws(StoreError) -> Bool
  /// Inserts a row with an access list in Parse's form, which its create sends; null for none.
  func insert(
    _ className: String, _ fields: Fields, objectID: String?, accessList: Value
  ) throws(StoreError) -> RecordReference
  /// Changes the given fields of a row, and its access list to one in Parse's form; nil leaves the list as it is.
  func update(
    _ className: String, _ localID: LocalID, _ fields: Fields, accessList: Value?
  ) throws(StoreError)
  /// Checks that no trigger of another program has removed a row that was just written.
  func checkIsThere(_ row: RecordReference) throws(StoreError)
  /// Notes that the app has seen a conflict record, and in which row it has restored it, if so.
  ///
  /// - Returns: Whether it was unseen.
  func markSeen(_ conflict: ConflictRecord, restoredIn row: LocalID?) throws(StoreError) -> Bool
  /// Keeps a note of the engine in the same transaction, as `SyncTransaction.setBookkeeping` does.
  func setBookkeeping(_ key: String, to json: String?) throws(StoreError)
  /// Does something; an error takes back what it did, as in a transaction of the engine.
  func attempt<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result
}

extension CapturedTransaction {
  package func insert(
    _ className: String, _ fields: Fields, objectID: String?, acl: AccessList?
  ) throws(StoreError) -> RecordReference {
    if let objection = acl?.objection {
      throw .invalidAccessList("The row of \(className) was not inserted.", objection)
    }
    return try insert(className, fields, objectID: objectID, accessList: acl?.value ?? .null)
  }

  package func update(
    _ className: String, _ localID: LocalID, _ fields: Fields, acl: AccessList?
  ) throws(StoreError) {
    if let objection = acl?.objection {
      throw .invalidAccessList("The row \(localID) of \(className) was not changed.", objection)
    }
    try update(className, localID, fields, accessList: acl?.value)
  }

  /// Changes fields of a row, and its access list if it is among them.
  func update(_ className: String, _ localID: LocalID, contents: Fields) throws(StoreError) {
    try update(
      className, localID, contents.withoutAccessList, accessList: contents[Fields.accessList])
  }
}

extension StoreError {
  fileprivate static func invalidAccessList(
    _ happened: String, _ objection: String
  ) -> StoreError {
    StoreError(
      .invalidAccessList, "\(happened) \(objection) Name a user, a role, or everyone.")
  }
}
