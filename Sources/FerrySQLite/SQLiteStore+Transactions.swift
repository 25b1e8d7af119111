// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
public import FerryStore
import Synchronization

extension SQLiteStore {
  /// Reads from one consistent view.
  ///
  /// Do not keep the reader beyond the closure.
  public func read<Result>(
    _ body: (any StoreReader) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try reading(body)
  }

  /// Writes in one transaction; an error thrown by the closure undoes all of it.
  ///
  /// When this returns, the change survives a loss of power.
  @discardableResult
  public func write<Result>(
    _ body: (any StoreTransaction) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try writing(body)
  }

  func writing<Result>(
    _ body: (SQLiteWriteTransaction) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try writing(
      .full,
      { SQLiteWriteTransaction(layout: $0, connection: $1, surroundings: surroundings) }
    ) { transaction throws(StoreError) in
      try transaction.begin()
      let result = try body(transaction)
      try transaction.finish()
      return result
    }
  }

  func reading<Result>(
    _ body: (SQLiteReader) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let (result, change, history) = try readers.withConnection { connection throws(StoreError) in
      try connection.cancellable { () throws(StoreError) in try reading(body, on: connection) }
    }
    announce(change, of: history)
    return result
  }

  private func reading<Result>(
    _ body: (SQLiteReader) throws(StoreError) -> Result, on connection: SQLiteConnection
  ) throws(StoreError) -> (Result, StoreChange?, AnnouncedHistory) {
    let earlier = announced.withLock { $0 }
    try connection.begin(toWrite: false)
    defer { connection.rollBack() }
    let position = try connection.position()
    let history = history(at: position, after: earlier)
    let reader = SQLiteReader(
      layout: try presentLayout(at: position, on: connection), connection: connection,
      decodedNotes: decodedNotes, fixed: FixedView(last: HistoryToken(rawValue: position.lastToken))
    )
    reader.restorations = history.restorations
    defer { reader.end() }
    let change = try reader.change(through: position.lastToken, after: history.last)
    return (try body(reader), change, history)
  }

  private func writing<Transaction: SQLiteReader, Result>(
    _ durability: Durability,
    _ make: (SchemaLayout, SQLiteConnection) -> Transaction,
    _ body: (Transaction) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    guard !isReadOnly else {
      throw StoreError(
        .notAccessible,
        "The store was opened for reading only. Nothing was written. Open it with "
          + "SQLiteStore(at:schema:) to write.")
    }
    let (result, change, history) = try writer.withConnection { connection throws(StoreError) in
      try connection.setDurability(durability)
      return try connection.cancellable { () throws(StoreError) in
        try writing(on: connection, make, body)
      }
    }
    announce(change, of: history)
    // The announcement of a change has signalled its commit.
    if change == nil { commitBroadcast.send(()) }
    return result
  }

  private func writing<Transaction: SQLiteReader, Result>(
    on connection: SQLiteConnection, _ make: (SchemaLayout, SQLiteConnection) -> Transaction,
    _ body: (Transaction) throws(StoreError) -> Result
  ) throws(StoreError) -> (Result, StoreChange?, AnnouncedHistory) {
    let earlier = announced.withLock { $0 }
    try connection.begin(toWrite: true)
    do throws(StoreError) {
      guard !connection.hasMoved else { throw fileHasMoved }
      let position = try connection.position()
      let history = history(at: position, after: earlier)
      let transaction = make(try presentLayout(at: position, on: connection), connection)
      transaction.restorations = history.restorations
      defer { transaction.end() }
      let result = try body(transaction)
      let change = try transaction.change(
        through: transaction.lastToken().rawValue, after: history.last)
      try connection.commit()
      return (result, change, history)
    } catch {
      connection.rollBack()
      throw error
    }
  }

  /// The store writes no more: a new edit would go to a file that has no name, and be lost with the process.
  private var fileHasMoved: StoreError {
    StoreError(
      .notAccessible,
      "The file \(files.database) was moved, removed or replaced after the store had opened it. Nothing was written. Put the file back, or "
        + "open the store anew.")
  }

  /// The layout in the open transaction: another program may have declared fields since.
  private func presentLayout(
    at position: StorePosition, on connection: SQLiteConnection
  ) throws(StoreError) -> SchemaLayout {
    let known = layout.withLock { $0 }
    let present = try connection.present(known, at: position, since: moveCount, format)
    if present.fieldChanges != known.fieldChanges { layout.withLock { $0 = present } }
    return present
  }

  /// The history that a view shows which began after something had been announced.
  ///
  /// A view that lacks an announced change is one of a backup, and listeners hear of that.
  private func history(
    at position: StorePosition, after earlier: AnnouncedHistory
  ) -> AnnouncedHistory {
    guard position.lastToken < earlier.last else { return earlier }
    let (history, isFound) = announced.withLock { announced in
      // Another view may have found it out first.
      let isFound = announced.restorations == earlier.restorations
      if isFound { announced.goBack(to: position.lastToken) }
      return (announced, isFound)
    }
    if isFound {
      let token = HistoryToken(rawValue: position.lastToken)
      let names = Set(schema.entities.map(\.name))
      broadcast.send(StoreChange(token: token, classNames: names, authors: [.app, .sync]))
      commitBroadcast.send(())
    }
    return history
  }

  /// Notifies listeners of a change unless they already know of it.
  private func announce(_ change: StoreChange?, of history: AnnouncedHistory) {
    guard let change else { return }
    let isNew = announced.withLock { $0.announce(change.token.rawValue, of: history) }
    guard isNew else { return }
    broadcast.send(change)
    commitBroadcast.send(())
  }
}

extension SQLiteStore: SyncStore {
  package var commits: AsyncStream<Void> {
    watchForeignCommits()
    return commitBroadcast.stream()
  }

  package func syncRead<Result>(
    _ body: (any SyncReader) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try reading(body)
  }

  package func sync<Result>(
    _ durability: Durability, _ body: (any SyncTransaction) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try syncing(durability, body)
  }

  package func capture<Result>(
    _ body: (any CapturedTransaction) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try writing(body)
  }

  func syncing<Result>(
    _ durability: Durability, _ body: (SQLiteSyncTransaction) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try writePauses.around { () throws(StoreError) in
      try writing(
        durability,
        {
          SQLiteSyncTransaction(
            layout: $0, connection: $1, decodedNotes: decodedNotes,
            surroundings: surroundings)
        }
      ) { transaction throws(StoreError) in
        try transaction.begin()
        let result = try body(transaction)
        try transaction.finish()
        return result
      }
    }
  }

  package func lockForSync() throws(StoreError) -> any SyncLock { try StoreLock(path: lockPath) }
}

extension SQLiteReader {
  /// The change that this view shows between two tokens of history; nil for none.
  fileprivate func change(
    through last: Int64, after token: Int64
  ) throws(StoreError) -> StoreChange? {
    guard last > token else { return nil }
    let parts = try statement("SELECT DISTINCT class, author FROM ferry_log WHERE token > ?")
      .bound(token).rows { ($0.integer(0), $0.count(1)) }
    return StoreChange(
      token: HistoryToken(rawValue: last),
      classNames: Set(parts.compactMap { layout.table(numbered: $0.0)?.entity.name }),
      authors: Set(parts.compactMap { Author(rawValue: $0.1) }))
  }
}
