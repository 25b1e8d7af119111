// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

/// The surroundings of a stage: store, staging area, server, and the ledger for reports.
///
/// A dry run gives the same stages another store, another staging area and another transport. A
/// stage cannot see the difference.
final class StageContext: Sendable {
  let store: any SyncStore
  let staging: StagingArea
  let server: ParseServer
  let transport: any HTTPTransport
  /// The contents of new files.
  let files: OutgoingFiles
  let conflicts: ConflictPolicies
  let options: SyncOptions
  /// The wishes of the caller of this run.
  let request: SyncRequest
  /// The run, as its conflict records name it.
  let conflictRun: Int64
  let environment: SyncEnvironment
  let cancellation: CancellationSignal
  let ledger: RunLedger
  let events: EventBroadcast

  init(
    store: any SyncStore, staging: StagingArea, server: ParseServer, transport: any HTTPTransport,
    files: OutgoingFiles, conflicts: ConflictPolicies, options: SyncOptions,
    request: SyncRequest = SyncRequest(),
    conflictRun: Int64 = 1, environment: SyncEnvironment,
    cancellation: CancellationSignal, ledger: RunLedger,
    events: EventBroadcast
  ) {
    self.store = store
    self.staging = staging
    self.server = server
    self.transport = transport
    self.files = files
    self.conflicts = conflicts
    self.options = options
    self.request = request
    self.conflictRun = conflictRun
    self.environment = environment
    self.cancellation = cancellation
    self.ledger = ledger
    self.events = events
  }

  var schema: Schema { store.schema }

  /// How much of each class the run compares record by record.
  var comparison: SyncComparison { request.comparison }

  /// Removals that someone has seen and confirmed for this run.
  var confirmedRemovals: Set<String> { request.confirmedRemovals }

  /// Whether the run asks the server about a class.
  ///
  /// Members are listed with their owners, so a run that asks for members asks for their owners, too.
  func asks(_ entity: Entity) -> Bool {
    guard let classes = request.classes else { return true }
    return classes.contains(entity.name)
      || schema.entities.contains {
        $0.membership?.ownerClass == entity.name && classes.contains($0.name)
      }
  }

  func notice(_ notice: SyncNotice) {
    ledger.notice(notice)
    events.send(.notice(notice))
  }

  func guarded(_ removal: GuardedRemoval, _ message: String) {
    ledger.guarded(removal)
    notice(SyncNotice(.guarded, className: removal.className, message))
  }

  /// Notes a set of removals that the guard let pass, in case that it was confirmed.
  func passed(
    _ className: String, on side: GuardedRemoval.Side, _ objectIDs: some Collection<String>
  ) {
    guard !confirmedRemovals.isEmpty else { return }
    ledger.passed(DeleteGuard.confirmation(className, on: side, objectIDs))
  }

  func progress(_ stage: StageName, _ className: String, done: Int, of expected: Int? = nil) {
    events.send(
      .progress(SyncProgress(stage: stage, className: className, done: done, expected: expected)))
  }

  /// Reads from one view of the store.
  func read<Result>(
    _ body: (any SyncReader) throws(StoreError) -> Result
  ) throws(SyncError) -> Result {
    do {
      return try store.syncRead(body)
    } catch {
      throw SyncError(error)
    }
  }

  /// The value under a key of the store's bookkeeping.
  func state<Content>(_ key: BookkeepingKey<Content>) throws(SyncError) -> Content {
    try read { reader throws(StoreError) in try reader.state(key) }
  }

  /// Writes in one transaction of the store.
  func write<Result>(
    _ durability: Durability, _ body: (any SyncTransaction) throws(StoreError) -> Result
  ) throws(SyncError) -> Result {
    let (result, removal): (Result, TriggeredRemoval)
    do {
      (result, removal) = try store.sync(durability) { transaction throws(StoreError) in
        transaction.attributeConflicts(to: conflictRun)
        let result = try body(transaction)
        return (result, try TriggeredRemoval(in: transaction, now: environment.now()))
      }
    } catch {
      throw SyncError(error)
    }
    removal.tell(self)
    return result
  }

  /// Writes in one transaction; if a rule of another program ends it, then in another one that changes no row.
  ///
  /// - Parameters:
  ///   - durability: When the commit returns.
  ///   - body: Writes; it is told whether it may set rows right.
  /// - Returns: The result of the closure.
  /// - Throws: The error that ends the run: the store cannot be read or written.
  func writeSettingRowsRight<Result>(
    _ durability: Durability,
    _ body: (_ transaction: any SyncTransaction, _ changesRows: Bool) throws(StoreError) -> Result
  ) throws(SyncError) -> Result {
    do {
      return try write(durability) { transaction throws(StoreError) in try body(transaction, true) }
    } catch {
      guard error.refusal == .transaction else { throw error }
      return try write(durability) { transaction throws(StoreError) in
        try body(transaction, false)
      }
    }
  }

  /// Changes the value under a key of the store's bookkeeping.
  func change<Content>(
    _ key: BookkeepingKey<Content>, _ change: (inout Content) -> Void
  ) throws(SyncError) {
    try write(.normal) { transaction throws(StoreError) in try transaction.change(key, change) }
  }

  func checkCancellation() throws(SyncError) {
    guard !cancellation.isCancelled else { throw SyncError.cancelled() }
  }
}
