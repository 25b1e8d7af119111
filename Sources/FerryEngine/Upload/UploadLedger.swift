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
  /// The entries and rows of the page that is being sent.
  var known = KnownChanges()
  /// The rules of other programs that keep rows from getting their answers.
  let refusals = StoreRefusals<RecordKey>()
  private var actions: [SyncAction] = []
  /// Entries that wait for their records since their versions were asked for.
  private var waiting: [OutboxEntry] = []
  private var blocking: Blocking { Blocking(context: context, stage: stage) }

  init(stage: StageName, context: StageContext) {
    self.stage = stage
    self.context = context
  }

  /// The results before a transaction, should it be taken back.
  ///
  /// A copy of the whole ledger would let each transaction copy a page of entries.
  struct Mark {
    fileprivate let remainder: UploadRemainder
    fileprivate let progress: UploadProgress
    fileprivate let counts: (actions: Int, waiting: Int)
  }

  var mark: Mark {
    Mark(remainder: remainder, progress: progress, counts: (actions.count, waiting.count))
  }

  /// Forgets what was noted since, and reads entries and rows again.
  mutating func takeBack(to mark: Mark) {
    (remainder, progress) = (mark.remainder, mark.progress)
    actions.removeLast(actions.count - mark.counts.actions)
    waiting.removeLast(waiting.count - mark.counts.waiting)
    known.forgetAll()
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
    let (entries, rows) = try known.read(writes.map(\.key), in: transaction)
    let preparation = WritePreparation(
      schema: context.schema,
      usesCustomIDs: try transaction.state(.capabilities).allowsCustomIDs == true,
      clientKeyField: context.options.clientKeyField,
      userID: try transaction.state(.binding)?.userID, now: context.environment.now(),
      token: try transaction.lastToken())
    let newFiles = NewFiles(context.schema)
    var batch: [PreparedWrite] = []
    var begun: [OutboxEntry] = []
    for write in writes {
      guard var entry = entries[write.key], entry.mayMove else { continue }
      // The server would keep the id of a record that it does not have. The next pass plans the change anew.
      if !preparation.usesCustomIDs, write.isOutdated(by: entry, rows[write.key]) { continue }
      // The app gave the record a new file after the plan; the next plan sends the file first.
      if newFiles.areIn(entry, rows[write.key]) { continue }
      switch preparation.prepare(entry, record: rows[write.key], withheld: write.withheld) {
      case .nothing: continue
      case .refused(let refusal):
        try apply(
          .unwritable(entry, refusal, current: rows[write.key]?.contents, in: stage),
          in: transaction)
      case .write(let prepared):
        entry.begin(
          prepared.sent.attempt, clientKey: prepared.sent.asksForID ? nil : entry.objectID)
        batch.append(prepared)
        begun.append(entry)
        known.note(entry)
      }
    }
    try transaction.put(begun)
    if batch.contains(where: { $0.sent.attempt.increments != nil }) {
      try noteAdditions(in: transaction)
    }
    return batch
  }

  /// Counts the batch as one with additions, or with creates that hold such numbers, in the store and beside it.
  ///
  /// A backup may be taken between any two batches.
  private func noteAdditions(in transaction: any SyncTransaction) throws(StoreError) {
    var beside =
      context.staging.additionsNote ?? AdditionsNote(folder: context.environment.mintID())
    beside.count += 1
    // If the folder takes no note, a backup is not noticed; the additions themselves are sent as always.
    try? context.staging.note(beside)
    try transaction.change(.sentAdditions) { $0.counts[beside.folder] = beside.count }
  }

  /// Notes that writes have not left; returns those that are still to be sent.
  mutating func takeBack(
    _ writes: [PreparedWrite], in transaction: any SyncTransaction
  ) throws(StoreError) -> [UploadPlanner.Write] {
    var again: [UploadPlanner.Write] = []
    try transaction.fold()
    for prepared in writes {
      guard let entry = try transaction.entry(under: prepared.sent) else { continue }
      let conclusion = WriteConclusion.unsent(
        entry, current: try transaction.contents(of: entry.key), in: stage)
      try apply(conclusion, in: transaction)
      if conclusion.entry.state == .ready {
        again.append(prepared.sent.repeated(under: entry.key))
      }
    }
    known.forget(writes.map(\.sent.key))
    return again
  }

  /// The writes whose records no other client has changed since they were read.
  ///
  /// The others wait, and say so: a later run fetches just their records.
  mutating func stillCurrent(
    _ writes: [UploadPlanner.Write], _ versions: [String: ServerVersion],
    in transaction: any SyncTransaction
  ) throws(StoreError) -> [UploadPlanner.Write] {
    let (entries, rows) = try known.read(writes.map(\.key), in: transaction)
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
    known.forget(obstacles.keys)
    return current
  }

  /// Parks writes of which no request could be made, so that none stays behind as being sent.
  mutating func refuse(
    _ batch: [PreparedWrite], _ error: RequestError, in transaction: any SyncTransaction
  ) throws(StoreError) {
    let refusal = Refusal(reason: .unserializable, message: error.message)
    for prepared in batch {
      guard let entry = try transaction.entry(under: prepared.sent) else { continue }
      let current = try transaction.contents(of: entry.key)
      try apply(.unwritable(entry, refusal, current: current, in: stage), in: transaction)
    }
  }
}

// After a batch.
extension UploadLedger {
  /// Records the outcome of each write.
  ///
  /// - Parameters:
  ///   - batches: The writes, and the server's answer to each.
  ///   - transaction: The transaction to record it in. If the store refused a row before, each write has a savepoint.
  /// - Returns: The writes that the server certainly did not carry out, to be sent in smaller
  ///   batches.
  /// - Throws: `StoreError` if the store cannot be read or written, or refuses a row.
  mutating func record(
    _ batches: [AnsweredBatch], in transaction: any SyncTransaction
  ) throws(StoreError) -> [UploadPlanner.Write] {
    guard !batches.isEmpty else { return [] }
    try transaction.fold()
    var again: [UploadPlanner.Write] = []
    do {
      for batch in batches { again += try record(batch, in: transaction) }
    } catch {
      if error.refusal == .row { refusals.goOneByOne() }
      throw error
    }
    return again
  }

  private mutating func record(
    _ batch: AnsweredBatch, in transaction: any SyncTransaction
  ) throws(StoreError) -> [UploadPlanner.Write] {
    var again: [UploadPlanner.Write] = []
    var acknowledged = 0
    var undecided = 0
    let present = try AnsweredEntries(
      of: batch, &known, in: transaction, readingEach: refusals.goesOneByOne)
    var settled = SettledEntries()
    for (write, item) in zip(batch.writes, batch.outcome.items) {
      guard let entry = try present.entry(under: write, in: transaction) else {
        if item.isSuccess { acknowledged += 1 }
        continue
      }
      let isShared = batch.outcome.isShared
      let conclusion =
        try refusals.goesOneByOne
        ? concludeAlone(entry, write, item, isShared: isShared, present, in: transaction)
        : conclude(entry, write, item, isShared: isShared, present, in: transaction)
      note(conclusion.actions)
      // The writes behind it read the store again.
      if present.isOutdated {
        try transaction.keep(conclusion)
      } else {
        settled.add(conclusion)
      }
      switch conclusion.next {
      case .nothing: if item.isSuccess { acknowledged += 1 }
      case .lookUp(let reason):
        remainder.inDoubt.append(
          WriteInDoubt(key: entry.key, reason: reason, failure: item.failure))
      case .sendSmaller: again.append(write.repeated(under: entry.key))
      case .findOutAboutIDs:
        remainder.refusedIDs.insert(entry.key)
        undecided += 1
      case .askForLogin: remainder.classesNeedingLogin.insert(entry.className)
      }
    }
    try settled.keep(in: transaction)
    if present.isOutdated { known.forgetAll() } else { known.forget(batch.writes.map(\.key)) }
    guard let className = batch.writes.first?.key.className else { return again }
    try count(acknowledged, of: className, in: transaction)
    progress.advance(className, by: batch.writes.count - again.count - undecided)
    return again
  }

  /// Concludes; where the store keeps the row as it is, a lookup of the write goes on.
  private func concludeAlone(
    _ entry: OutboxEntry, _ write: SentWrite, _ item: WriteOutcome, isShared: Bool,
    _ present: AnsweredEntries, in transaction: any SyncTransaction
  ) throws(StoreError) -> WriteConclusion {
    let conclusion = try refusals.attempt(entry.key, in: transaction) { () throws(StoreError) in
      try conclude(entry, write, item, isShared: isShared, present, in: transaction)
    }
    switch conclusion {
    case .success(let conclusion): return conclusion
    case .failure: return .rivalled(entry, in: stage)
    }
  }

  /// Binds the row of a create to its record, and concludes.
  private func conclude(
    _ entry: OutboxEntry, _ write: SentWrite, _ item: WriteOutcome, isShared: Bool,
    _ present: AnsweredEntries, in transaction: any SyncTransaction
  ) throws(StoreError) -> WriteConclusion {
    switch item {
    case .failure(let failure):
      var entry = entry
      let environment = context.environment
      entry.noteLastTry(at: environment.now(), uptime: environment.uptime())
      return .failed(
        entry, write, failure, current: try present.contents(of: entry.key, in: transaction),
        isShared: isShared, attemptLimit: context.options.attemptLimit,
        at: environment.now(), in: stage)
    case .success(let acknowledgement):
      var entry = entry
      if let creation = acknowledgement.creation {
        if present.isBound {
          entry.rename(to: creation.objectID)
        } else {
          guard try transaction.rival(for: creation.objectID, of: entry.key) == nil else {
            return .rivalled(entry, in: stage)
          }
          entry = try transaction.bind(entry, to: creation.objectID, createdAt: creation.time)
          try transaction.completeAccessList(
            of: entry.key, by: write.accessList(after: acknowledgement))
        }
      }
      var conclusion = WriteConclusion.done(
        entry, write, acknowledgement, of: context.schema.entity(entry.className),
        current: try present.contents(of: entry.key, in: transaction), in: stage)
      try give(&conclusion, in: transaction)
      return conclusion
    }
  }

  /// Gives the row what the server's answer and later edits make together.
  ///
  /// Where a rule of another program keeps the row as it is, the next import does.
  private func give(
    _ conclusion: inout WriteConclusion, in transaction: any SyncTransaction
  ) throws(StoreError) {
    let (merged, entry) = (conclusion.merged, conclusion.entry)
    guard !merged.isEmpty else { return }
    let isGiven = try transaction.attemptUnlessRefused { () throws(StoreError) in
      try transaction.set(merged, of: entry.className, localID: entry.localID)
    }
    if isGiven { conclusion.noteMerged() }
  }

  private mutating func apply(
    _ conclusion: WriteConclusion, in transaction: any SyncTransaction
  ) throws(StoreError) {
    try transaction.keep(conclusion)
    known.forget([conclusion.entry.key])
    note(conclusion.actions)
  }

  private mutating func note(_ new: [SyncAction]) {
    for var action in new {
      // Equal sets of names share their memory: a run keeps thousands of actions.
      if let fields = actions.last?.fields, fields == action.fields { action.fields = fields }
      actions.append(action)
    }
    context.notice(parked: new)
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

extension SentWrite {
  /// The same write, to be sent again.
  fileprivate func repeated(under key: RecordKey) -> UploadPlanner.Write {
    UploadPlanner.Write(key: key, withheld: attempt.withheld, plannedThrough: attempt.token)
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
