// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
import FerryPlanning
import Foundation
import Synchronization

/// A store in memory that is gone when it is released, for tests and previews.
///
/// It behaves like `SQLiteStore`, without a file: it captures edits, keeps history with tokens, and
/// a coordinator can sync it. Any thread may call any method. Reads see the last commit.
///
/// ```swift
/// let store = try InMemoryStore(schema: schema)
/// let league = try store.write { try $0.insert("League", ["name": "North"]) }
/// ```
public final class InMemoryStore: Store {
  /// The registered classes.
  public let schema: Schema

  private let committed: Mutex<InMemoryState>
  private let generator: Mutex<any RandomNumberGenerator & Sendable>
  /// Held while a transaction runs; a nested transaction is refused.
  private let turn = FairLock()
  private let writer = Mutex<ObjectIdentifier?>(nil)
  private let isLockedForSync = Mutex(false)
  private let broadcast = Broadcast<StoreChange>()
  private let commitBroadcast = Broadcast<Void>()
  package let accessQueue = AccessQueue()

  /// Makes an empty store.
  ///
  /// - Parameter schema: The classes to keep.
  /// - Throws: `StoreError` for a schema that breaks a rule.
  public convenience init(schema: Schema) throws(StoreError) {
    try self.init(schema: schema, generator: SystemRandomNumberGenerator(), now: { .now })
  }

  /// Makes an empty store with given sources of ids and time.
  package convenience init(
    schema: Schema, generator: any RandomNumberGenerator & Sendable,
    now: @escaping @Sendable () -> Timestamp
  ) throws(StoreError) {
    try schema.checkForStore()
    self.init(InMemoryState(schema: schema, now: now), generator: generator)
  }

  private init(_ state: InMemoryState, generator: any RandomNumberGenerator & Sendable) {
    schema = state.schema
    committed = Mutex(state)
    self.generator = Mutex(generator)
  }

  /// A new stream that signals each commit from now on; any number of listeners may have one.
  public var changes: AsyncStream<StoreChange> { broadcast.stream() }

  /// The access of a coordinator to this store.
  public var syncAccess: SyncAccess { SyncAccess(self) }

  /// Reads from one consistent view.
  public func read<Result>(
    _ body: (any StoreReader) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try reading(body)
  }

  /// Writes in one transaction; an error thrown by the closure undoes all of it.
  @discardableResult
  public func write<Result>(
    _ body: (any StoreTransaction) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try capture { transaction throws(StoreError) in try body(transaction) }
  }

  package func capture<Result>(
    _ body: (any CapturedTransaction) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try writing({ InMemoryWriteTransaction($0, mintID: mintID) }) {
      transaction throws(StoreError) in
      let start = try transaction.lastToken().rawValue
      let result = try body(transaction)
      let step = transaction.step
      try transaction.change { $0.noteTransaction(after: start, by: .app, step) }
      return result
    }
  }

  private func mintID() -> String {
    generator.withLock { MintedID.make(using: &$0) }
  }

  private func reading<Result>(
    _ body: (InMemoryReader) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let reader = InMemoryReader(committed.withLock { $0 })
    defer { _ = reader.end() }
    return try body(reader)
  }

  private func writing<Transaction: InMemoryReader, Result>(
    _ begin: (InMemoryState) -> Transaction,
    _ body: (Transaction) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let thread = ObjectIdentifier(Thread.current)
    try refuseNestedWrite(on: thread)
    turn.lock()
    defer { turn.unlock() }
    writer.withLock { $0 = thread }
    defer { writer.withLock { $0 = nil } }
    let before = committed.withLock { $0 }
    let transaction = begin(before)
    defer { _ = transaction.end() }
    let result = try body(transaction)
    // The task may be cancelled since the last change.
    _ = try transaction.state
    let after = transaction.end()
    committed.withLock { $0 = after }
    if let change = after.change(since: before) { broadcast.send(change) }
    commitBroadcast.send(())
    return result
  }

  /// A transaction inside another would wait for itself.
  private func refuseNestedWrite(on thread: ObjectIdentifier) throws(StoreError) {
    guard writer.withLock({ $0 }) == thread else { return }
    throw StoreError(
      .database,
      "A transaction was begun inside another one of the same store, so nothing of it was written. "
        + "Use the transaction that the closure was handed.")
  }
}

extension InMemoryStore: SyncStore {
  package var commits: AsyncStream<Void> { commitBroadcast.stream() }

  package func syncRead<Result>(
    _ body: (any SyncReader) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try reading(body)
  }

  package func sync<Result>(
    _ durability: Durability, _ body: (any SyncTransaction) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try writing(InMemorySyncTransaction.init) { transaction throws(StoreError) in
      let start = try transaction.lastToken().rawValue
      let result = try body(transaction)
      try transaction.change {
        $0.noteTransaction(after: start, by: .sync, .edit)
        $0.engineCommits += 1
      }
      return result
    }
  }

  package func clone() throws(StoreError) -> any SyncStore {
    InMemoryStore(committed.withLock { $0 }, generator: generator.withLock { $0 })
  }

  package func discardClone() {}

  /// Does nothing: one object with one schema serves all programs.
  package func prepareForSync() {}

  package func lockForSync() throws(StoreError) -> any SyncLock {
    let isTaken = isLockedForSync.withLock { isLocked in
      defer { isLocked = true }
      return isLocked
    }
    guard !isTaken else {
      throw StoreError(
        .busy,
        "The store is being synced already, so nothing was changed. Wait until that sync has "
          + "ended, and try again.")
    }
    return InMemoryLock { [weak self] in self?.isLockedForSync.withLock { $0 = false } }
  }
}

/// The right to sync an in-memory store.
private final class InMemoryLock: SyncLock {
  private let giveBack: Mutex<(@Sendable () -> Void)?>

  init(_ giveBack: @escaping @Sendable () -> Void) { self.giveBack = Mutex(giveBack) }

  deinit { release() }

  func release() {
    let giveBack = giveBack.withLock { held in
      defer { held = nil }
      return held
    }
    giveBack?()
  }
}

extension InMemoryState {
  /// The change of a transaction, for listeners; nil if no row changed.
  fileprivate func change(since before: InMemoryState) -> StoreChange? {
    guard lastToken > before.lastToken else { return nil }
    let changes = logged(after: HistoryToken(rawValue: before.lastToken)).map(\.change)
    return StoreChange(
      token: HistoryToken(rawValue: lastToken), classNames: Set(changes.map(\.className)),
      authors: Set(changes.map(\.author)))
  }
}
