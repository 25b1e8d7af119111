// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
public import FerryPlanning

/// One consistent view of a store, valid inside the closure that received it.
public protocol StoreReader {
  /// The registered classes.
  var schema: Schema { get }

  /// The row with that local id; nil if there is none.
  func record(of className: String, localID: LocalID) throws(StoreError) -> Record?

  /// The row with that object id, or with a minted id that the server has replaced since.
  func record(of className: String, objectID: String) throws(StoreError) -> Record?

  /// The rows of a class.
  ///
  /// - Parameters:
  ///   - className: The class.
  ///   - condition: The condition of the rows; nil for all rows.
  ///   - order: The sort order; equal rows, and all rows if it is empty, are sorted by age.
  ///   - limit: The greatest number of rows; nil for all.
  ///   - offset: The number of rows to skip at the start.
  /// - Returns: The rows.
  /// - Throws: `StoreError` for a class or field that is not registered.
  func records(
    of className: String, where condition: Condition?, orderedBy order: [SortOrder], limit: Int?,
    offset: Int
  ) throws(StoreError) -> [Record]

  /// The number of rows of a class for which the condition holds.
  func count(of className: String, where condition: Condition?) throws(StoreError) -> Int

  /// Calls a closure with chosen fields of each row of a query, in its order, without keeping the rows.
  ///
  /// ```swift
  /// try store.read { db in
  ///   try db.forEachRow(of: Query("Game"), reading: ["title", "league.name"]) { values in
  ///     print(values[0], values[1])
  ///   }
  /// }
  /// ```
  ///
  /// The closure must not write to the store.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - fields: Declared fields, `objectId`, `createdAt`, `updatedAt` or `localId`, also behind pointers.
  ///   - body: Takes the values of a row in the order of the fields; null for a missing value.
  /// - Throws: `StoreError` for a query that cannot be carried out, for a field that is not declared, and what the
  ///   closure throws.
  func forEachRow(
    of query: Query, reading fields: [String], _ body: ([Value]) throws(StoreError) -> Void
  ) throws(StoreError)

  /// The states of those of some rows that have an unsent change; the other rows are synced.
  ///
  /// It shows the flags of a list without a query for each row.
  ///
  /// ```swift
  /// let games = try store.read { try $0.records(Query("Game", limit: 50)) }
  /// let states = try store.read { try $0.unsentStates(of: "Game", localIDs: games.map(\.localID)) }
  /// for game in games { print(game.objectID, states[game.localID]?.rawValue ?? "synced") }
  /// ```
  ///
  /// Edits made just now count, too: the store reads all edits of the class that no sync has seen yet.
  ///
  /// - Parameters:
  ///   - className: The class.
  ///   - localIDs: The rows; an id without a row has no state.
  /// - Returns: The states by local id.
  /// - Throws: `StoreError` for a class that is not registered, and if the store cannot be read.
  func unsentStates(
    of className: String, localIDs: [LocalID]
  ) throws(StoreError) -> [LocalID: UnsentState]

  /// How the store carries a query out: of which classes it looks at each row.
  ///
  /// ```swift
  /// let plan = try store.read { try $0.explain(Query("Game", where: .text("title", .contains("cup")))) }
  /// print(plan.scannedClasses)  // ["Game"]
  /// ```
  ///
  /// Use it in tests of an app and while it is made. It reads no row.
  ///
  /// - Throws: `StoreError` for a query that cannot be carried out.
  func explain(_ query: Query) throws(StoreError) -> QueryPlan

  /// The newest position in history.
  func lastToken() throws(StoreError) -> HistoryToken

  /// The changes of all authors after a position in history, oldest first.
  ///
  /// - Throws: `StoreError` with code `historyPruned` if the token is older than the history that
  ///   is kept.
  func changes(after token: HistoryToken, limit: Int) throws(StoreError) -> [Change]

  /// The transactions of all authors after a position in history, oldest first.
  ///
  /// ```swift
  /// let page = try store.read {
  ///   try $0.transactions(
  ///     after: try $0.historyExtent().prunedThrough, matching: HistoryFilter(authors: [.sync]), limit: 100)
  /// }
  /// for transaction in page.transactions { print(transaction.classNames) }
  /// ```
  ///
  /// - Parameters:
  ///   - token: The position behind which the page begins.
  ///   - filter: The changes that are wanted. A transaction without such changes is left out.
  ///   - limit: The greatest number of transactions, at least 1.
  /// - Returns: The transactions, and the position up to which history was looked through.
  /// - Throws: `StoreError` with code `historyPruned` if the token is older than the history that is kept, or newer than
  ///   all of it: the store has gone back to a backup.
  func transactions(
    after token: HistoryToken, matching filter: HistoryFilter, limit: Int
  ) throws(StoreError) -> HistoryPage

  /// The transactions of all authors before a position in history, newest first.
  ///
  /// ```swift
  /// let newest = try store.read {
  ///   try $0.transactions(before: nil, matching: HistoryFilter(classNames: ["Game"]), limit: 20)
  /// }
  /// for transaction in newest { print(transaction.token.rawValue, transaction.authors) }
  /// ```
  ///
  /// They are those that `transactions(after:matching:limit:)` lists, from the other end. It reads history from its new end
  /// on, and only as far back as the transactions need. For the next older ones, pass the token of the last one.
  ///
  /// - Parameters:
  ///   - token: The token of a transaction: it and later ones are left out. Nil for none.
  ///   - filter: The changes that are wanted. A transaction without such changes is left out.
  ///   - limit: The greatest number of transactions, at least 1.
  /// - Returns: The transactions; fewer than the limit if history that is kept has no more.
  /// - Throws: `StoreError` if the store cannot be read.
  func transactions(
    before token: HistoryToken?, matching filter: HistoryFilter, limit: Int
  ) throws(StoreError) -> [HistoryTransaction]

  /// The edits of the app in a transaction with their values, one for each record.
  ///
  /// They are those of the whole transaction, also where a filter left changes out.
  ///
  /// ```swift
  /// if let last = try store.read({ try $0.undoableTransaction() }) {
  ///   for edit in try store.read({ try $0.edits(of: last) }) {
  ///     print(edit.kind, edit.before, edit.after)
  ///   }
  /// }
  /// ```
  ///
  /// The values of what syncs wrote are not in history. The cost is that of the history from the transaction on.
  ///
  /// - Throws: `StoreError` with code `historyPruned` if the transaction is older than the history that is kept.
  func edits(of transaction: HistoryTransaction) throws(StoreError) -> [RecordEdit]

  /// The values of single changes of the app, by the changes' tokens; changes of syncs have none.
  ///
  /// - Throws: `StoreError` with code `historyPruned` if a change is older than the history that is kept.
  func edits(of changes: [Change]) throws(StoreError) -> [HistoryToken: RecordEdit]

  /// The transaction that `Store.undo()` would take back; nil for none.
  func undoableTransaction() throws(StoreError) -> HistoryTransaction?

  /// The undo that `Store.redo()` would take back; nil for none.
  func redoableTransaction() throws(StoreError) -> HistoryTransaction?

  /// How much history the store keeps, and who has read how far.
  func historyExtent() throws(StoreError) -> HistoryExtent

  /// The bytes that history takes in the store's file; nil in memory, or if SQLite was built without `dbstat`.
  ///
  /// SQLite keeps no such number, so it reads every page of the log: 15 ms for 50,000 changes.
  func historyByteCount() throws(StoreError) -> Int64?

  /// The position of a named reader of history; the start for an unknown name.
  func token(ofReader name: String) throws(StoreError) -> HistoryToken

  /// The values that syncs overwrote or removed, newest first.
  ///
  /// - Parameters:
  ///   - className: The class, also one that is not registered; nil for all.
  ///   - id: The conflict record behind which the list begins; nil for the newest.
  ///   - limit: The greatest number of conflict records; nil for all.
  /// - Returns: The conflict records, those that were restored among them.
  /// - Throws: `StoreError` if the store cannot be read.
  func conflicts(
    of className: String?, before id: Int64?, limit: Int?
  ) throws(StoreError) -> [ConflictRecord]

  /// The conflict records that one run wrote, newest first.
  ///
  /// - Parameter run: The run, as `SyncReport.conflictRun` and `ConflictRecord.run` name it.
  /// - Returns: The conflict records, those that were restored among them; none for an unknown run.
  /// - Throws: `StoreError` if the store cannot be read.
  func conflicts(ofRun run: Int64) throws(StoreError) -> [ConflictRecord]

  /// How many conflict records the app has not seen, by class, without classes that have none.
  ///
  /// A conflict record is seen once it was marked or restored. The store keeps an index of those that are not, so an app
  /// may ask after each commit.
  ///
  /// ```swift
  /// for try await counts in store.observe({ try $0.unseenConflictCounts() }) {
  ///   print("\(counts.values.reduce(0, +)) values were lost")
  /// }
  /// ```
  ///
  /// - Returns: The numbers, also of classes that are not registered.
  /// - Throws: `StoreError` if the store cannot be read.
  func unseenConflictCounts() throws(StoreError) -> [String: Int]

  /// The conflict record with that number; nil if there is none.
  func conflict(_ id: Int64) throws(StoreError) -> ConflictRecord?

  /// The server's records that could not be imported, each with the reason and its JSON.
  ///
  /// - Parameter className: The class, also one that is not registered; nil for all.
  /// - Returns: The records by class and object id.
  /// - Throws: `StoreError` if the store cannot be read.
  func quarantine(of className: String?) throws(StoreError) -> [QuarantinedRecord]

  /// The server's record under that id, if it could not be imported.
  ///
  /// ```swift
  /// if let record = try store.read({ try $0.quarantinedRecord(of: "Game", objectID: "aB3") }) {
  ///   print(record.reason, record.raw)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - className: The class, also one that is not registered.
  ///   - objectID: The id, as `QuarantinedRecord.objectID` gives it.
  /// - Returns: The record; nil if it is not in quarantine.
  /// - Throws: `StoreError` if the store cannot be read.
  func quarantinedRecord(
    of className: String, objectID: String
  ) throws(StoreError) -> QuarantinedRecord?
}

extension StoreReader {
  /// The rows of a class, by default all of them.
  public func records(
    of className: String, where condition: Condition? = nil, orderedBy order: SortOrder...,
    limit: Int? = nil
  ) throws(StoreError) -> [Record] {
    try records(of: className, where: condition, orderedBy: order, limit: limit, offset: 0)
  }

  /// The rows of a query.
  ///
  /// - Throws: `StoreError` for a class or field that is not registered.
  public func records(_ query: Query) throws(StoreError) -> [Record] {
    try records(
      of: query.className, where: query.condition, orderedBy: query.order, limit: query.limit,
      offset: query.offset)
  }

  /// The values that syncs overwrote or removed, newest first.
  ///
  /// ```swift
  /// for conflict in try store.read({ try $0.conflicts(of: "Game", limit: 20) }) {
  ///   print(conflict.time, conflict.reason, conflict.lost.names)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - className: The class; nil for all.
  ///   - limit: The greatest number of conflict records; nil for all.
  /// - Returns: The conflict records, those that were restored among them.
  /// - Throws: `StoreError` if the store cannot be read.
  public func conflicts(
    of className: String? = nil, limit: Int? = nil
  ) throws(StoreError) -> [ConflictRecord] {
    try conflicts(of: className, before: nil, limit: limit)
  }

  /// The row whose values a conflict record keeps, as it is now.
  ///
  /// Show it beside the lost values before the app restores them.
  ///
  /// ```swift
  /// for conflict in try store.read({ try $0.conflicts(of: "Game", limit: 20) }) {
  ///   let row = try store.read { try $0.row(of: conflict) }
  ///   for name in conflict.lost.names {
  ///     print(name, conflict.lost[name], row?[name] ?? .null)
  ///   }
  /// }
  /// ```
  ///
  /// - Parameter conflict: The conflict record.
  /// - Returns: The row; nil if it is gone. The row of another record to which a program gave the local id
  ///   is not it.
  /// - Throws: `StoreError` if the store cannot be read, or the schema leaves out the class.
  public func row(of conflict: ConflictRecord) throws(StoreError) -> Record? {
    let name = conflict.record
    let named = try record(of: name.className, objectID: name.objectID)
    return named?.localID == name.localID || named?.objectID == name.objectID ? named : nil
  }

  /// The number of rows of a class.
  public func count(of className: String) throws(StoreError) -> Int {
    try count(of: className, where: nil)
  }
}
