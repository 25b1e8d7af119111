// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
public import FerryParse
public import FerryPlanning
public import FerryStore

/// One consistent view of a store: its rows, and what Ferry knows about their sync.
///
/// It is valid inside the closure of `Store.inspect`, on the thread that called it. It reads only the
/// store and asks no server.
public struct StoreInspection {
  let reader: any SyncReader

  init(_ reader: any SyncReader) { self.reader = reader }

  /// The rows, the history, the conflict records and the quarantine of the same view.
  public var rows: any StoreReader { reader }

  /// Calls the closure with each unsent change, including edits made just now.
  ///
  /// The changes come nearly in the order of class and local id. However many there are, only some
  /// of them are in memory at a time.
  ///
  /// - Parameters:
  ///   - className: The class; nil for all, also for classes that the schema does not register.
  ///   - body: Receives one change after another; an error that it throws ends the listing.
  /// - Throws: `StoreError` if the store cannot be read, and that of the closure.
  public func forEachPendingChange(
    of className: String? = nil, _ body: (PendingChange) throws(StoreError) -> Void
  ) throws(StoreError) {
    let closed = try reader.classesForUsersOnly(of: className)
    let newFiles = NewFiles(reader.schema)
    try reader.forEachPendingEntry(of: className) { entry throws(StoreError) in
      guard var change = PendingChange(entry, closedClasses: closed) else { return }
      if newFiles.mayConcern(entry) {
        let row = try reader.record(of: entry.className, localID: entry.localID)
        change.files = newFiles.unsent(of: entry, row)
      }
      try body(change)
    }
  }

  /// Calls the closure with each unsent change; the closure may throw errors of the app.
  ///
  /// - Parameters:
  ///   - className: The class; nil for all, also for classes that the schema does not register.
  ///   - body: Receives one change after another; an error that it throws ends the listing.
  /// - Throws: `StoreError` if the store cannot be read, and what the closure throws.
  public func forEachPendingChange(
    of className: String? = nil, _ body: (PendingChange) throws -> Void
  ) throws {
    var passage = ErrorPassage()
    do {
      try forEachPendingChange(of: className) { change throws(StoreError) in
        try passage.run { try body(change) }
      }
    } catch {
      throw passage.result(of: error)
    }
  }

  /// All unsent changes, in the order of class and local id.
  ///
  /// - Parameter className: The class; nil for all.
  /// - Returns: The changes; `forEachPendingChange` needs less memory where there may be many.
  /// - Throws: `StoreError` if the store cannot be read.
  public func pendingChanges(of className: String? = nil) throws(StoreError) -> [PendingChange] {
    var changes: [PendingChange] = []
    try forEachPendingChange(of: className) { change throws(StoreError) in changes.append(change) }
    return changes
  }

  /// The number of unsent changes by class, without classes that have none.
  ///
  /// It equals the number of `pendingChanges()`, and costs far less: only edits that no sync has seen yet are read.
  ///
  /// ```swift
  /// let unsent = try store.inspect { try $0.pendingCounts() }
  /// print("\(unsent.values.reduce(0, +)) unsent, \(unsent["Game"] ?? 0) of them games")
  /// ```
  ///
  /// - Returns: The numbers, also of classes that the schema does not register.
  /// - Throws: `StoreError` if the store cannot be read.
  public func pendingCounts() throws(StoreError) -> [String: Int] { try reader.pendingCounts() }

  /// Calls the closure with each row that the server does not have, and that no sync sends.
  ///
  /// A trigger of another program has inserted such a row while a sync wrote. The store takes it for the
  /// sync's own writing. Records in quarantine do not count: the next sync that can read them completes their rows.
  ///
  /// ```swift
  /// try store.inspect { store throws(StoreError) in
  ///   try store.forEachRowNeverSent(of: "Game") { row in print("\(row.objectID) stays here.") }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - className: A registered class.
  ///   - body: Receives one row after another.
  /// - Throws: `StoreError` if the store cannot be read, and what the closure throws.
  public func forEachRowNeverSent(
    of className: String, _ body: (RecordReference) throws(StoreError) -> Void
  ) throws(StoreError) {
    var pending: Set<LocalID> = []
    try reader.forEachPendingEntry(of: className) { pending.insert($0.localID) }
    var last = LocalID(rawValue: 0)
    while true {
      let page = try reader.unacknowledged(of: className, after: last, limit: 1000)
      guard let newest = page.last else { return }
      last = newest.localID
      let rows = page.filter { !pending.contains($0.localID) }
      let quarantined = Set(
        try reader.quarantined(className, objectIDs: rows.map(\.objectID)).map(\.objectID))
      for row in rows where !quarantined.contains(row.objectID) {
        try body(
          RecordReference(className: className, localID: row.localID, objectID: row.objectID))
      }
    }
  }

  /// How many rows have unsent edits, for each class that the schema leaves out.
  ///
  /// No run of this program sends them. They leave with a program whose schema has the class.
  ///
  /// - Returns: The numbers of rows by class, without classes that have none.
  /// - Throws: `StoreError` if the store cannot be read.
  public func unsentCountsOfUnregisteredClasses() throws(StoreError) -> [String: Int] {
    var counts = try reader.unfoldedRowCounts().classes
    for className in counts.keys {
      try forEachPendingChange(of: className) { _ in counts[className, default: 0] += 1 }
    }
    return counts.filter { $0.value > 0 }
  }

  /// How many rows have unsent edits of fields that the schema leaves out, by class and field.
  ///
  /// No run of this program sends them. They leave with a program whose schema has the field.
  ///
  /// - Returns: The numbers of rows by registered class and field, without fields that have none.
  /// - Throws: `StoreError` if the store cannot be read.
  public func unsentCountsOfUndeclaredFields() throws(StoreError) -> [String: [String: Int]] {
    try reader.unfoldedRowCounts().fields
  }

  /// How many rows have unsent edits of any field that the schema leaves out, by class.
  ///
  /// A row with edits of two such fields counts once.
  ///
  /// - Returns: The numbers of rows by registered class, without classes that have none.
  /// - Throws: `StoreError` if the store cannot be read.
  public func unsentRowCountsOfUndeclaredFields() throws(StoreError) -> [String: Int] {
    try reader.unfoldedRowCounts().rowsByFields
  }

  /// The time from which a sync can move an unsent change without any edit; nil for none.
  ///
  /// ```swift
  /// if let time = try store.inspect({ try $0.nextSync() }) {
  ///   print("The next sync is due at \(time).")
  /// }
  /// ```
  ///
  /// Use it when an app starts, to plan its next sync. During the app's life, `SyncReport.nextSync` says the
  /// same after each run. Edits that no run has seen yet are due now.
  ///
  /// - Parameter options: The options of the app's syncs, because the time depends on
  ///   `SyncOptions.maximumRequestDuration`.
  /// - Returns: The present time if any sync may do something, or a later time.
  /// - Throws: `StoreError` if the store cannot be read.
  public func nextSync(_ options: SyncOptions = SyncOptions()) throws(StoreError) -> Timestamp? {
    try reader.nextSync(at: SyncEnvironment.live.now(), options)
  }

  /// The removals and deletes of a class that earlier runs held back until they are confirmed.
  ///
  /// ```swift
  /// let held = try store.inspect { try $0.heldRemovals(of: "Game") }
  /// let run = coordinator.startSync(confirming: Set(held.map(\.confirmation)))
  /// ```
  ///
  /// - Parameter className: A registered class.
  /// - Returns: At most one set for each side: rows to remove locally, and records to delete on the
  ///   server.
  /// - Throws: `StoreError` if the store cannot be read.
  public func heldRemovals(of className: String) throws(StoreError) -> [GuardedRemoval] {
    try reader.heldRemovals(of: className)
  }

  /// The rows of a class whose records are gone on the server, and that rules of other programs keep.
  ///
  /// The last sync that looked for missing records met these rules.
  ///
  /// ```swift
  /// for kept in try store.inspect({ try $0.keptRows(of: "Game") }) {
  ///   print("\(kept.row.objectID) stays, because \(kept.rule) keeps it.")
  /// }
  /// ```
  ///
  /// - Parameter className: A registered class.
  /// - Returns: The rows in the order of their local ids.
  /// - Throws: `StoreError` if the store cannot be read.
  public func keptRows(of className: String) throws(StoreError) -> [KeptRow] {
    try reader.keptRows(of: className)
  }

  /// The error with which each sync would end, because the store holds the data of another server or user.
  ///
  /// ```swift
  /// if let refusal = try store.inspect({ try $0.refusal(of: server, asUser: .user("k2hD8")) }) {
  ///   print(refusal.message)
  /// }
  /// ```
  ///
  /// `SyncError.adoption` names the adoption with which a sync would go on, if there is one.
  ///
  /// - Parameters:
  ///   - server: The server.
  ///   - user: The user of the sync.
  /// - Returns: `SyncError.Code.otherServer`, `.otherUser` or `.loginNeeded`; nil if the store holds data of this server
  ///   and user, or of none yet.
  /// - Throws: `StoreError` if the store cannot be read.
  public func refusal(
    of server: ParseServer, asUser user: SyncUser
  ) throws(StoreError) -> SyncError? {
    guard let bound = try reader.state(.binding) else { return nil }
    guard bound.server == server.identity else { return .otherServer(bound) }
    return switch user {
    case .unknown: nil
    case .nobody: try reader.refusal(of: bound, toUser: nil)
    case .user(let userID): try reader.refusal(of: bound, toUser: userID)
    }
  }

  /// How far a class is synced.
  ///
  /// - Parameter className: A registered class.
  /// - Returns: Its state after the last run; the state of a class that was never synced otherwise.
  /// - Throws: `StoreError` if the store cannot be read.
  public func syncState(of className: String) throws(StoreError) -> ClassSyncState {
    try reader.syncState(of: className)
  }
}
