// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

/// Updates the outbox before each batch and with each response.
///
/// `WriteConclusion` decides what becomes of an entry; the ledger reads, writes and reports.
struct UploadLedger {
  let stage: StageName
  let context: StageContext
  private(set) var remainder = UploadRemainder()
  var progress = UploadProgress()
  /// The error that every further request of the run would also get.
  private(set) var ending: SyncError?
  private var actions: [SyncAction] = []
  /// Entries that wait for their records since their versions were asked for.
  private var waiting: [OutboxEntry] = []
  private var blocking: Blocking { Blocking(context: context, stage: stage) }

  init(stage: StageName, context: StageContext) {
    self.stage = stage
    self.context = context
  }

  /// Reports the results so far to the run.
  mutating func report() {
    context.ledger.act(actions)
    actions = []
    blocking.report(waiting)
    waiting = []
  }
}

// Before a batch.
extension UploadLedger {
  /// Records that writes are being sent; parks those that cannot be expressed.
  mutating func begin(
    _ writes: [UploadPlanner.Write], in transaction: any SyncTransaction
  ) throws(StoreError) -> [PreparedWrite] {
    try transaction.fold()
    let entries = try transaction.entries(writes.map(\.key))
    let rows = try transaction.rows(writes.map(\.key))
    let preparation = WritePreparation(
      schema: context.schema,
      usesCustomIDs: try transaction.state(.capabilities).allowsCustomIDs == true,
      clientKeyField: context.options.clientKeyField, now: context.environment.now(),
      token: try transaction.lastToken())
    var batch: [PreparedWrite] = []
    for write in writes {
      guard var entry = entries[write.key], entry.mayMove else { continue }
      // The server would keep the id of a record that it does not have. The next pass plans the change anew.
      if !preparation.usesCustomIDs, write.isOutdated(by: entry, rows[write.key]) { continue }
      switch preparation.prepare(entry, record: rows[write.key], withheld: write.withheld) {
      case .nothing: continue
      case .refused(let refusal):
        try apply(.unwritable(entry, refusal, in: stage), in: transaction)
      case .write(let prepared):
        entry.begin(
          prepared.sent.attempt, clientKey: prepared.sent.asksForID ? nil : entry.objectID)
        batch.append(prepared)
        try transaction.put(entry)
      }
    }
    return batch
  }

  /// The writes whose records no other client has changed since they were read.
  ///
  /// The others wait, and say so: a later run fetches just their records.
  mutating func stillCurrent(
    _ writes: [UploadPlanner.Write], _ versions: [String: ServerVersion],
    in transaction: any SyncTransaction
  ) throws(StoreError) -> [UploadPlanner.Write] {
    let entries = try transaction.entries(writes.map(\.key))
    let rows = try transaction.rows(writes.map(\.key))
    let unreadable = try transaction.unreadable(Array(entries.values))
    var obstacles: [RecordKey: OutboxEntry.State] = [:]
    let current = writes.filter { write in
      guard let entry = entries[write.key], entry.mayMove else { return false }
      let shown = versions[entry.objectID]
      let remote = unreadable[write.key]
      let obstacle = entry.obstacle(
        shown: shown, over: rows[write.key], unreadable: remote?.version)
      obstacles[write.key] = obstacle.map { .blocked(by: $0) }
      if obstacle == nil, shown != nil, let remote,
        !remote.permits(write, of: entry, local: rows[write.key])
      {
        obstacles[write.key] = remote.state
      }
      return obstacles[write.key] == nil
    }
    waiting += try blocking.record(obstacles, in: transaction)
    return current
  }

  /// Parks writes of which no request could be made, so that none stays behind as being sent.
  mutating func refuse(
    _ batch: [PreparedWrite], _ error: RequestError, in transaction: any SyncTransaction
  ) throws(StoreError) {
    let refusal = Refusal(reason: .unserializable, message: error.message)
    for prepared in batch {
      guard let entry = try transaction.entry(under: prepared.sent) else { continue }
      try apply(.unwritable(entry, refusal, in: stage), in: transaction)
    }
  }
}

// After a batch.
extension UploadLedger {
  /// Records the outcome of each write.
  ///
  /// - Parameters:
  ///   - outcome: What became of them.
  ///   - batch: The writes.
  ///   - transaction: The transaction to record it in.
  ///   - settingAside: Whether the store refused a row of them before: then each has a savepoint.
  /// - Returns: The writes that the server certainly did not carry out, to be sent in smaller
  ///   batches.
  mutating func record(
    _ outcome: BatchOutcome, of batch: [PreparedWrite], in transaction: any SyncTransaction,
    settingAside: Bool
  ) throws(StoreError) -> [UploadPlanner.Write] {
    try transaction.fold()
    var again: [UploadPlanner.Write] = []
    var acknowledged = 0
    var undecided = 0
    for (write, item) in zip(batch.map(\.sent), outcome.items) {
      guard let entry = try transaction.entry(under: write) else {
        if item.isSuccess { acknowledged += 1 }
        continue
      }
      let conclusion =
        try settingAside
        ? concludeAlone(entry, write, item, isShared: outcome.isShared, in: transaction)
        : conclude(entry, write, item, isShared: outcome.isShared, in: transaction)
      try apply(conclusion, in: transaction)
      switch conclusion.next {
      case .nothing: if item.isSuccess { acknowledged += 1 }
      case .lookUp(let reason):
        remainder.inDoubt.append(
          WriteInDoubt(key: entry.key, reason: reason, failure: item.failure))
      case .sendSmaller:
        again.append(
          .init(
            key: entry.key, withheld: write.attempt.withheld, plannedThrough: write.attempt.token))
      case .findOutAboutIDs:
        remainder.refusedIDs.insert(entry.key)
        undecided += 1
      case .askForLogin: ending = .creatorUnknown(entry.className, item.failure?.cause)
      }
    }
    guard let className = batch.first?.sent.key.className else { return again }
    try count(acknowledged, of: className, in: transaction)
    progress.advance(className, by: batch.count - again.count - undecided)
    return again
  }

  /// Concludes; where the store keeps the row as it is, a lookup of the write goes on.
  private func concludeAlone(
    _ entry: OutboxEntry, _ write: SentWrite, _ item: WriteOutcome, isShared: Bool,
    in transaction: any SyncTransaction
  ) throws(StoreError) -> WriteConclusion {
    do {
      return try transaction.attempt { () throws(StoreError) in
        try conclude(entry, write, item, isShared: isShared, in: transaction)
      }
    } catch {
      guard error.refusal == .row else { throw error }
      return .rivalled(entry, in: stage)
    }
  }

  /// Binds the row of a create to its record, and concludes.
  private func conclude(
    _ entry: OutboxEntry, _ write: SentWrite, _ item: WriteOutcome, isShared: Bool,
    in transaction: any SyncTransaction
  ) throws(StoreError) -> WriteConclusion {
    switch item {
    case .failure(let failure):
      return .failed(
        entry, write, failure, isShared: isShared, attemptLimit: context.options.attemptLimit,
        at: context.environment.now(), in: stage)
    case .success(let acknowledgement):
      var entry = entry
      if let creation = acknowledgement.creation {
        guard try transaction.rival(for: creation.objectID, of: entry.key) == nil else {
          return .rivalled(entry, in: stage)
        }
        entry = try transaction.bind(entry, to: creation.objectID, createdAt: creation.time)
      }
      return .done(
        entry, write, acknowledgement, of: context.schema.entity(entry.className),
        current: try transaction.fields(of: entry.key), in: stage)
    }
  }

  private mutating func apply(
    _ conclusion: WriteConclusion, in transaction: any SyncTransaction
  ) throws(StoreError) {
    try transaction.keep(
      conclusion.entry, isDone: conclusion.isDone, isForgotten: conclusion.isForgotten)
    actions += conclusion.actions
    context.notice(parked: conclusion.actions)
  }

  /// Counts what the server carried out: staged pages are older than that.
  private func count(
    _ acknowledged: Int, of className: String, in transaction: any SyncTransaction
  ) throws(StoreError) {
    guard acknowledged > 0 else { return }
    try transaction.outdateStagedPages(of: className)
    try transaction.change(.classState(className)) { state in
      guard stage == .deleteDeleted else { return }
      state.removals = state.removals.on(context.environment.day)
      state.removals.server += acknowledged
    }
  }
}

extension StageContext {
  /// Says of each parked change why it is.
  func notice(parked actions: [SyncAction]) {
    for action in actions where action.kind == .park {
      notice(
        SyncNotice(
          .parked, className: action.className, localID: action.localID,
          objectID: action.objectID, action.reason ?? ""))
    }
  }
}

extension SyncError {
  fileprivate static func creatorUnknown(
    _ className: String, _ cause: (any Error)?
  ) -> SyncError {
    SyncError(
      .loginNeeded,
      "The server takes creates of \(className) only from users who are logged in. Nothing was lost: "
        + "the unsent changes are kept. Sync again with a new session token.",
      cause: cause)
  }
}

extension WriteOutcome {
  fileprivate var isSuccess: Bool { failure == nil }
  fileprivate var failure: WriteFailure? {
    if case .failure(let failure) = self { failure } else { nil }
  }
}

extension SyncTransaction {
  /// The entry of a write in flight.
  ///
  /// The entry has moved if the app deleted the row meanwhile and inserted its object id again,
  /// because an object id has at most one entry.
  fileprivate func entry(under write: SentWrite) throws(StoreError) -> OutboxEntry? {
    if let entry = try entry(of: write.key) { return entry }
    return try outboxEntries(of: write.key.className, objectIDs: [write.objectID]).first
  }
}
