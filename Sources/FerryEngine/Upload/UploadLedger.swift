// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

/// Updates the outbox before each batch and with each answer.
struct UploadLedger {
  let stage: StageName
  let context: StageContext
  private(set) var writesInDoubt: [WriteInDoubt] = []
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

  // MARK: Before a batch

  /// Records that writes are being sent; parks those that cannot be expressed.
  mutating func begin(
    _ writes: [UploadPlanner.Write], in transaction: any SyncTransaction
  ) throws -> [PreparedWrite] {
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
      switch preparation.prepare(entry, record: rows[write.key], withheld: write.withheld) {
      case .nothing: continue
      case .refused(let refusal):
        entry.refuse(refusal)
        park(entry, refusal)
      case .write(let prepared):
        entry.begin(
          prepared.attempt, clientKey: prepared.chosenID == nil ? entry.objectID : nil)
        batch.append(prepared)
      }
      try transaction.put(entry)
    }
    return batch
  }

  /// The writes whose records no other client has changed since they were read.
  ///
  /// The others wait, and say so: a later run fetches just their records.
  mutating func stillCurrent(
    _ writes: [UploadPlanner.Write], _ versions: [String: ServerVersion],
    in transaction: any SyncTransaction
  ) throws -> [UploadPlanner.Write] {
    guard let className = writes.first?.key.className else { return [] }
    let entries = try transaction.entries(writes.map(\.key))
    let rows = try transaction.rows(writes.map(\.key))
    let setAside = try transaction.quarantined(
      className, objectIDs: entries.values.map(\.objectID))
    let unreadable = Dictionary(
      setAside.map { ($0.objectID, $0.version) }, uniquingKeysWith: { $1 })
    var obstacles: [RecordKey: OutboxEntry.State] = [:]
    let current = writes.filter { write in
      guard let entry = entries[write.key], entry.mayMove else { return false }
      var known = entry.knownVersions(of: rows[write.key])
      // The planner has compared the record in quarantine: the server holds its fields as before.
      if let version = unreadable[entry.objectID] ?? nil { known.insert(version) }
      let obstacle = entry.obstacle(shown: versions[entry.objectID], known: known)
      obstacles[write.key] = obstacle.map { .blocked(by: $0) }
      return obstacle == nil
    }
    waiting += try blocking.record(obstacles, in: transaction)
    return current
  }

  // MARK: After a batch

  /// Records the outcome of each write.
  ///
  /// - Returns: The writes that the server certainly did not carry out, to be sent in smaller
  ///   batches.
  mutating func record(
    _ outcome: BatchOutcome, of batch: [PreparedWrite], in transaction: any SyncTransaction
  ) throws -> [UploadPlanner.Write] {
    try transaction.fold()
    var again: [UploadPlanner.Write] = []
    let unusableBefore = writesInDoubt.count(where: \.isUnusableID)
    var acknowledged: [String: Int] = [:]
    for (prepared, item) in zip(batch, outcome.items) {
      guard var entry = try transaction.entry(under: prepared) else {
        if case .done = item { acknowledged[prepared.key.className, default: 0] += 1 }
        continue
      }
      switch item {
      case .done(.created(let created))
      where try transaction.rival(for: created.objectID, of: entry.key) != nil:
        // Another row has that record. A lookup of the create shows its outcome.
        markInDoubt(&entry, .lost)
      case .done(let answer):
        try acknowledge(prepared, entry, answer, in: transaction)
        acknowledged[prepared.key.className, default: 0] += 1
        continue
      case .refused(let error) where prepared.chosenID != nil && error.code == .invalidKeyName:
        entry.postpone()
        writesInDoubt.append(WriteInDoubt(key: entry.key, reason: .unusableID(error)))
      // Only a create can be a duplicate of itself; an update's value belongs to another record.
      case .duplicate(let error) where prepared.attempt.kind == .create:
        markInDoubt(&entry, .duplicate(error))
      case .refused(let error), .duplicate(let error): refuse(&entry, error)
      case .denied(let error): deny(&entry, error)
      case .unknown(let timedOut, let message): lose(&entry, timedOut: timedOut, message)
      case .notRun: entry.postpone()
      case .tooLarge:
        entry.postpone()
        if batch.count > 1 {
          again.append(.init(key: entry.key, withheld: prepared.attempt.withheld))
        } else {
          refuse(&entry, ParseError(status: 413, meaning: .tooLarge))
        }
      }
      try transaction.put(entry)
    }
    for (className, count) in acknowledged {
      try transaction.change(.classState(className)) { state in
        state.uploadSequence += count
        guard stage == .deleteDeleted else { return }
        state.removals = state.removals.on(context.environment.day)
        state.removals.server += count
      }
    }
    if let className = batch.first?.key.className {
      let unusable = writesInDoubt.count(where: \.isUnusableID) - unusableBefore
      progress.advance(className, by: batch.count - again.count - unusable)
    }
    return again
  }

  /// Parks writes of which no request could be made, so that none stays behind as being sent.
  mutating func refuse(
    _ batch: [PreparedWrite], _ error: RequestError, in transaction: any SyncTransaction
  ) throws {
    for prepared in batch {
      guard var entry = try transaction.entry(under: prepared) else { continue }
      let refusal = Refusal(reason: .unserializable, message: error.message)
      entry.refuse(refusal)
      park(entry, refusal)
      try transaction.put(entry)
    }
  }

  private mutating func acknowledge(
    _ prepared: PreparedWrite, _ entry: OutboxEntry, _ answer: WriteAnswer,
    in transaction: any SyncTransaction
  ) throws {
    var entry = entry
    var version: ServerVersion?
    var changes: [String: Value] = [:]
    var createdAt: Timestamp?
    switch answer {
    case .created(let created):
      let time = Timestamp(created.createdAt) ?? context.environment.now()
      createdAt = time
      version = ServerVersion(rawValue: created.createdAt)
      changes = created.changes
      try transaction.name(
        entry.key, from: entry.objectID, to: created.objectID, createdAt: time,
        now: context.environment.now())
      entry = try transaction.entries([entry.key])[entry.key] ?? entry
    case .updated(let updated):
      version = ServerVersion(rawValue: updated.updatedAt)
      changes = updated.changes
    case .deleted: break
    }
    let isDelete = prepared.attempt.kind == .delete
    let current = try transaction.rows([entry.key])[entry.key]
    if isDelete, current == nil {
      try transaction.remember(entry.localID, objectID: entry.objectID, of: entry.className)
    }
    note(
      prepared.attempt.kind.action, entry,
      fields: isDelete ? [] : Set(prepared.attempt.sent.names))
    let isDone = entry.acknowledge(
      answer: declared(changes, of: entry.className), version: version, createdAt: createdAt,
      current: current?.fields)
    if let refusal = prepared.unsendable.refusal, entry.state == .ready,
      entry.changed.isSubset(of: prepared.unsendable.names)
    {
      entry.refuse(refusal)
      park(entry, refusal)
    }
    try transaction.keep(entry, isDone: isDone)
  }

  /// The declared fields in an answer; an operation in it means that the field was removed.
  private func declared(_ changes: [String: Value], of className: String) -> Fields {
    guard let entity = context.schema.entity(className), entity.serializer == nil else {
      return Fields()
    }
    return Fields(
      changes.filter { entity.field($0.key)?.type.accepts($0.value) == true })
  }

  private mutating func refuse(_ entry: inout OutboxEntry, _ error: ParseError) {
    let refusal = Refusal(
      reason: .refused, code: error.code?.rawValue, message: error.description)
    entry.refuse(refusal)
    park(entry, refusal)
  }

  private mutating func deny(_ entry: inout OutboxEntry, _ error: ParseError) {
    guard entry.kind == .create || entry.kind == .deleteAfterCreate else {
      return markInDoubt(&entry, .denied(error))
    }
    entry.postpone()
    ending = SyncError(
      .loginNeeded,
      "The server takes creates of \(entry.className) only from users who are logged in. Nothing "
        + "was lost: the unsent changes are kept. Sync again with a new session token.",
      cause: error)
  }

  private mutating func markInDoubt(_ entry: inout OutboxEntry, _ reason: WriteInDoubt.Reason) {
    entry.lose(timedOut: false)
    writesInDoubt.append(WriteInDoubt(key: entry.key, reason: reason))
  }

  private mutating func lose(_ entry: inout OutboxEntry, timedOut: Bool, _ message: String) {
    let isRepeatable = entry.kind == .update || entry.kind == .delete
    if isRepeatable, !timedOut, entry.failures + 1 >= context.options.attemptLimit {
      let refusal = Refusal.exhausted(attempts: entry.failures + 1, message)
      entry.refuse(refusal)
      return park(entry, refusal)
    }
    entry.lose(timedOut: timedOut)
    note(.wait, entry, fields: entry.changed, reason: message)
  }

  private mutating func park(_ entry: OutboxEntry, _ refusal: Refusal) {
    note(.park, entry, fields: entry.changed, reason: refusal.message)
    context.notice(
      SyncNotice(
        .parked, className: entry.className, objectID: entry.objectID, refusal.message))
  }

  private mutating func note(
    _ kind: SyncAction.Kind, _ entry: OutboxEntry, fields: Set<String>, reason: String? = nil
  ) {
    actions.append(
      SyncAction(
        kind, in: stage, className: entry.className, localID: entry.localID,
        objectID: kind == .post ? nil : entry.objectID, fields: fields, reason: reason))
  }
}

extension OutboxEntry.Kind {
  fileprivate var action: SyncAction.Kind {
    switch self {
    case .create: .post
    case .update: .put
    case .delete, .deleteAfterCreate: .delete
    }
  }
}

extension OutboxEntry {
  /// The versions of a record without changes of other clients: the imported version and this
  /// device's own stamps.
  ///
  /// A locally created record that was not imported since has its creation time as stamp.
  fileprivate func knownVersions(of row: Record?) -> Set<ServerVersion> {
    let known = Set([row?.version, baseVersion, acknowledgedVersion].compactMap { $0 })
    guard known.isEmpty, let createdAt = createdAt ?? row?.createdAt else { return known }
    return [ServerVersion(rawValue: createdAt.description)]
  }

  /// Why the change cannot be sent over the version that the server shows; nil where it can.
  ///
  /// A delete of a record that is not shown finds nothing to do, and is done by that.
  fileprivate func obstacle(
    shown version: ServerVersion?, known: Set<ServerVersion>
  ) -> Obstacle? {
    guard let version else { return kind == .delete ? nil : .notFound }
    return known.contains(version) ? nil : .newerVersion
  }
}

extension SyncTransaction {
  /// The entry of a write in flight.
  ///
  /// The entry has moved if the app deleted the row meanwhile and inserted its object id again,
  /// because an object id has at most one entry.
  fileprivate func entry(under prepared: PreparedWrite) throws -> OutboxEntry? {
    let key = prepared.key
    return try entries([key])[key]
      ?? outboxEntries(of: key.className, objectIDs: [prepared.objectID]).first
  }
}
