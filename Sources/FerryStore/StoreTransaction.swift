// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
public import FerryPlanning

/// A write transaction of the app: the store keeps all of its changes, or none.
///
/// The store captures each edit in the same transaction, and the next sync sends it.
public protocol StoreTransaction: StoreReader {
  /// Inserts a row.
  ///
  /// - Parameters:
  ///   - className: The class.
  ///   - fields: Declared fields; missing fields get their defaults.
  ///   - objectID: An id that the app chooses, for servers that accept it; nil mints an id.
  ///   - acl: Who may read and change the record. Its create sends the list, so the record is never open for a moment.
  ///     Nil for the default of the class, `Entity.defaultAccess`.
  /// - Returns: The row's reference, for pointers to it.
  /// - Throws: `StoreError` for a class or field that is not registered, a value of another type, a
  ///   whole number beyond ±2^53, or an object id that another row has; with code `invalidAccessList` for a list that
  ///   names nobody.
  @discardableResult
  func insert(
    _ className: String, _ fields: Fields, objectID: String?, acl: AccessList?
  ) throws(StoreError) -> RecordReference

  /// Changes the given fields of a row, and its access list.
  ///
  /// A sync sends the list as it sends a field. A user whom the new list leaves out loses the row with the next sync.
  ///
  /// - Parameters:
  ///   - className: A registered class.
  ///   - localID: The row.
  ///   - fields: The new values; `.null` clears a field. A field that is missing stays as it is.
  ///   - acl: Who may read and change the record from now on; `AccessList.open` for everyone. Nil leaves the list as it is.
  /// - Throws: `StoreError` as `insert`, and with code `noSuchRecord` if there is no such row.
  func update(
    _ className: String, _ localID: LocalID, _ fields: Fields, acl: AccessList?
  ) throws(StoreError)

  /// Deletes a row.
  ///
  /// - Throws: `StoreError` with code `noSuchRecord` if there is no such row.
  func delete(_ className: String, _ localID: LocalID) throws(StoreError)

  /// Records that a named reader has merged all changes up to a position in history.
  ///
  /// The store keeps history for the slowest reader, but no longer than 30 days. So call this only
  /// after merging. A reader that returns later gets a `StoreError` with code `historyPruned` from
  /// `changes(after:limit:)`; it then reads the tables afresh.
  func setToken(_ token: HistoryToken, ofReader name: String) throws(StoreError)

  /// Forgets a named reader of history, so that it holds no history any more.
  func removeReader(_ name: String) throws(StoreError)

  /// Takes the edits of an earlier transaction back, by ordinary edits.
  ///
  /// `Store.undo()` and `Store.redo()` choose the transaction themselves. Undoing a transaction that `undo` made is a
  /// redo. Only values that are still as the transaction left them are taken back. The whole transaction is meant, also
  /// where a filter left changes out. Use a transaction of its own for each undo: history notes it as a whole.
  ///
  /// ```swift
  /// try store.write { try $0.insert("Game", ["title": "Final"]) }
  /// let last = try store.read { try $0.undoableTransaction() }
  /// if let last { try store.write { try $0.undo(last) } }
  /// ```
  ///
  /// - Parameter transaction: A transaction of the app, also one of another program by plain SQL. Such a transaction has
  ///   no note, so it never counts as undone.
  /// - Returns: The edits that were taken back, and those that stay, with the reason.
  /// - Throws: `StoreError` with code `cannotUndo` for a transaction of a sync, and for one that was undone before;
  ///   with `historyPruned` if history no longer has it; where a rule of the database refuses a row. Then let the
  ///   error leave the transaction, so that nothing is undone.
  @discardableResult
  func undo(_ transaction: HistoryTransaction) throws(StoreError) -> UndoResult

  /// Restores the values of a conflict record as an edit of the app, which the next sync sends.
  ///
  /// Values of fields that are no longer declared, or that a field cannot hold any more, are left out.
  /// `ConflictRecord.restorableFields(of:)` lists the values that are written. A new row also gets the
  /// access control list of the lost record, and the create sends it.
  ///
  /// - Returns: The row with the values: the same row, or a new one if the record was removed.
  /// - Throws: `StoreError` with code `noSuchRecord` if there is no such conflict record, or if its row
  ///   is gone and it holds single fields only; with `alreadyRestored` for a removed record that was restored
  ///   before, as long as the row is there; with `unknownClass` or `unknownField` if the schema leaves out the
  ///   class, or all fields of the conflict record.
  @discardableResult
  func restore(conflict id: Int64) throws(StoreError) -> RecordReference

  /// Restores all conflict records of a run that can be restored, as `restore(conflict:)` does for each.
  ///
  /// Whole records come first, oldest first, and single fields after them. Single fields of a row that the run removed go
  /// into the row that the whole record has now. Those that were restored before stay as they are, unless
  /// the row of a whole record is gone since.
  ///
  /// ```swift
  /// if let run = try store.read({ try $0.conflicts(limit: 1).first?.run }) {
  ///   for restoration in try store.write({ try $0.restoreConflicts(ofRun: run) }) {
  ///     if case .failure(let error) = restoration.result { print(error.message) }
  ///   }
  /// }
  /// ```
  ///
  /// - Parameter run: The run, as `SyncReport.conflictRun` and `ConflictRecord.run` name it.
  /// - Returns: The outcome for each conflict record, in the order of the restores; none for an unknown run. One that
  ///   cannot be restored stays as it was, with the error that `restore(conflict:)` would throw.
  /// - Throws: `StoreError` where the store itself fails, or a rule of another program ends the transaction. Then let the
  ///   error leave the transaction, so that nothing is restored.
  @discardableResult
  func restoreConflicts(ofRun run: Int64) throws(StoreError) -> [ConflictRestoration]

  /// Marks a conflict record as seen, so that `unseenConflictCounts()` leaves it out.
  ///
  /// It stays in the list, and can be restored.
  ///
  /// - Parameter id: The number of the conflict record.
  /// - Returns: Whether it was unseen.
  /// - Throws: `StoreError` with code `noSuchRecord` if there is no such conflict record.
  @discardableResult
  func markSeen(conflict id: Int64) throws(StoreError) -> Bool

  /// Marks conflict records as seen, as `markSeen(conflict:)` does for one.
  ///
  /// ```swift
  /// let shown = try store.read { try $0.conflicts(limit: 20) }
  /// try store.write { try $0.markConflictsSeen(through: shown.first?.id) }
  /// ```
  ///
  /// - Parameters:
  ///   - className: The class, also one that is not registered; nil for all.
  ///   - id: The newest conflict record that the app has shown; a sync may have added others since. Nil for all.
  /// - Returns: The number of conflict records that were unseen; 0 for an unknown class.
  /// - Throws: `StoreError` if the store cannot be written.
  @discardableResult
  func markConflictsSeen(of className: String?, through id: Int64?) throws(StoreError) -> Int

  /// Takes back the unsent change of a record, so that its row is what the server has, as far as this store knows.
  ///
  /// A row that the server does not have leaves. An edited row gets the values that the server had before the edits. A
  /// deleted row comes back under its local id and its object id. It is an edit like any other: history lists it, and
  /// observations see it.
  ///
  /// ```swift
  /// for change in try store.inspect({ try $0.pendingChanges(of: "Game") }) where change.state == .parked {
  ///   print(change.reason ?? "")
  ///   try store.write { try $0.discardChange(of: change.className, localID: change.localID) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - className: A registered class.
  ///   - localID: The app's key of the record, also of one that the app deleted.
  /// - Returns: Whether there was an unsent change.
  /// - Throws: `StoreError` with code `beingSent` while the outcome of a request with the change is unknown; with
  ///   `cannotDiscard` where the message says why, such as a delete of a record with fields that the schema leaves out;
  ///   with `unknownClass` for a class that is not registered.
  @discardableResult
  func discardChange(of className: String, localID: LocalID) throws(StoreError) -> Bool

  /// Takes back the unsent changes of a class, as `discardChange(of:localID:)` does for each.
  ///
  /// New rows leave first, and deleted ones come back last. Changes for which it would throw `beingSent` or
  /// `cannotDiscard` stay. So do those of classes and fields that the schema leaves out.
  ///
  /// - Parameter className: A registered class; nil for all.
  /// - Returns: The number of changes that were taken back.
  /// - Throws: `StoreError` for a class that is not registered, or where a rule of the database refuses a row. Then
  ///   let the error leave the transaction, so that nothing is discarded.
  @discardableResult
  func discardChanges(of className: String?) throws(StoreError) -> Int
}

extension StoreTransaction {
  /// Marks the conflict records of one class, or all, as seen.
  @discardableResult
  public func markConflictsSeen(of className: String? = nil) throws(StoreError) -> Int {
    try markConflictsSeen(of: className, through: nil)
  }

  /// Marks the conflict records of all classes up to one as seen.
  @discardableResult
  public func markConflictsSeen(through id: Int64?) throws(StoreError) -> Int {
    try markConflictsSeen(of: nil, through: id)
  }

  /// Inserts a row under a minted id, with the access list that is the default of its class.
  @discardableResult
  public func insert(_ className: String, _ fields: Fields) throws(StoreError) -> RecordReference {
    try insert(className, fields, objectID: nil, acl: nil)
  }

  /// Inserts a row under an id that the app chooses, with the access list that is the default of its class.
  @discardableResult
  public func insert(
    _ className: String, _ fields: Fields, objectID: String?
  ) throws(StoreError) -> RecordReference {
    try insert(className, fields, objectID: objectID, acl: nil)
  }

  /// Inserts a row under a minted id, with an access list.
  ///
  /// ```swift
  /// try store.write { try $0.insert("Note", ["text": "For all to read"], acl: .publicRead) }
  /// ```
  @discardableResult
  public func insert(
    _ className: String, _ fields: Fields, acl: AccessList?
  ) throws(StoreError) -> RecordReference {
    try insert(className, fields, objectID: nil, acl: acl)
  }

  /// Changes the given fields of a row; `.null` clears a field.
  public func update(
    _ className: String, _ localID: LocalID, _ fields: Fields
  ) throws(StoreError) {
    try update(className, localID, fields, acl: nil)
  }

  /// Changes the given fields of a row; `.null` clears a field.
  public func update(_ reference: RecordReference, _ fields: Fields) throws(StoreError) {
    try update(reference.className, reference.localID, fields, acl: nil)
  }

  /// Changes the given fields of a row, and its access list.
  ///
  /// ```swift
  /// let note = try store.write { try $0.insert("Note", ["text": "Mine alone so far"]) }
  /// try store.write { try $0.update(note, [:], acl: [.user("k7Xb2mQ9Lp"): .readWrite, .everyone: .read]) }
  /// ```
  public func update(
    _ reference: RecordReference, _ fields: Fields, acl: AccessList?
  ) throws(StoreError) {
    try update(reference.className, reference.localID, fields, acl: acl)
  }

  /// Deletes a row.
  public func delete(_ reference: RecordReference) throws(StoreError) {
    try delete(reference.className, reference.localID)
  }
}
