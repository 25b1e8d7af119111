// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

/// Looks up the records of writes in doubt, to learn what became of the writes.
///
/// `LookupConclusion` decides what becomes of an entry.
struct OutcomeResolution {
  let context: StageContext
  /// The stage that asks; nil before the first stage.
  let stage: StageName?

  func resolve(_ doubts: [WriteInDoubt]) throws(SyncError) {
    for (className, doubts) in Dictionary(grouping: doubts, by: \.key.className)
      .sorted(by: { $0.key < $1.key })
    {
      guard let entity = context.schema.entity(className) else { continue }
      do {
        try resolve(doubts, ClassContext(entity, in: context))
      } catch {
        try cannotAsk(doubts, of: entity, try error.failure())
      }
    }
  }

  private func resolve(_ doubts: [WriteInDoubt], _ context: ClassContext) throws(ClassError) {
    let entries = try context.read { reader throws(StoreError) in
      try reader.entries(doubts.map(\.key))
    }
    let importer = try PageImporter(askedFor: .postCreated, in: context)
    let environment = context.environment
    let found = try FoundRecords(
      of: Array(entries.values), askedAt: (environment.now(), environment.uptime()), in: context)
    let (settlement, refused) = try settle(doubts, found, importer, context)
    report(settlement.actions)
    settlement.outcome.tell(context.stage, context.entity)
    tellRefused(refused, of: context.entity)
  }

  /// The results of lookups that the store has noted.
  private struct Settlement {
    var outcome = ImportOutcome()
    var actions: [SyncAction] = []
    /// Whether pages that were staged before show older values.
    var isNews = false
  }

  /// Records what the lookups have shown, except where a rule of another program keeps a row as it is.
  private func settle(
    _ doubts: [WriteInDoubt], _ found: FoundRecords, _ importer: PageImporter,
    _ context: ClassContext
  ) throws(ClassError) -> (Settlement, [OutboxEntry]) {
    let refusals = StoreRefusals<RecordKey>()
    return try context.write(.full, leavingOut: refusals) { transaction throws(StoreError) in
      try transaction.fold()
      // A trigger of the app may remove a row while the engine writes another; it comes back in the end.
      let rows = try transaction.rows(doubts.map(\.key))
      var settlement = Settlement()
      var refused: [OutboxEntry] = []
      for doubt in doubts {
        guard var entry = try transaction.entries([doubt.key])[doubt.key] else { continue }
        let before = settlement
        let attempt = try refusals.attempt(entry.key, in: transaction) { () throws(StoreError) in
          try settle(
            entry, doubt, found, rows[entry.key]?.contents, importer, in: transaction, &settlement)
        }
        guard case .failure(let error) = attempt else { continue }
        settlement = before
        entry.rule = try transaction.rule(of: error, on: context.entity.name)
        try transaction.put(entry)
        refused.append(entry)
      }
      if settlement.isNews { try transaction.outdateStagedPages(of: context.entity.name) }
      return (settlement, refused)
    }
  }

  private func settle(
    _ entry: OutboxEntry, _ doubt: WriteInDoubt, _ found: FoundRecords, _ former: Fields?,
    _ importer: PageImporter, in transaction: any SyncTransaction, _ settlement: inout Settlement
  ) throws(StoreError) {
    var entry = entry
    entry.rule = nil
    entry.trustClock(at: found.askedAt, uptime: found.uptime)
    if entry.isUndecidable { entry.retry() }
    let doubt = doubt.concerning(entry)
    let record = found.record(of: entry, doubt)
    let conclusion =
      if record == nil, let reason = found.reasonUnreadable(of: entry) {
        LookupConclusion.unreadable(
          entry, doubt, reason: reason, current: try transaction.contents(of: entry.key) ?? former,
          in: stage)
      } else {
        try conclude(
          entry, doubt, record, importer.planner.entity, askedAt: found.askedAt,
          isListed: record.map { !importer.planner.isOutside($0) } ?? true, former, in: transaction)
      }
    try apply(conclusion, in: transaction)
    if conclusion.isDone || record != nil && conclusion.entry != entry { settlement.isNews = true }
    settlement.actions += conclusion.actions
    guard conclusion.next.importsRecord, let record else { return }
    let page = found.page(of: record)
    try importer.importRecords(
      page.records, page.failures, into: transaction, &settlement.outcome)
  }

  private func tellRefused(_ refused: [OutboxEntry], of entity: Entity) {
    guard let first = refused.first, let rule = first.rule else { return }
    context.notice(
      SyncNotice(
        .rowRefused, className: entity.name,
        localID: refused.count == 1 ? first.localID : nil,
        "The server has \(refused.count.counted("record")) of \(entity.name) that this device sent, and \(rule) "
          + "keeps \(refused.count == 1 ? "its row" : "their rows") as before. The changes are kept, and "
          + "everything else went on. Drop the rule; each sync tries again."))
  }

  /// Binds the row of a create to the record that was found, and concludes.
  private func conclude(
    _ entry: OutboxEntry, _ doubt: WriteInDoubt, _ record: ServerRecord?, _ entity: Entity,
    askedAt: Timestamp, isListed: Bool, _ former: Fields?, in transaction: any SyncTransaction
  ) throws(StoreError) -> LookupConclusion {
    var current = try transaction.contents(of: entry.key) ?? former
    if record == nil, let userID = try transaction.state(.binding)?.userID,
      entry.isHidden(from: userID)
    {
      return .hidden(entry, doubt, current: current, in: stage)
    }
    guard let record, !entry.isOutlived(by: record.createdAt) else {
      return .absent(
        entry, doubt, current: current, isOver: isOver(entry),
        attemptLimit: context.options.attemptLimit, in: stage)
    }
    var entry = entry
    if doubt.reason == .denied { entry.forgetRefusedIncrements() }
    let increments = entry.settleIncrements(
      over: record.version, record.fields(of: entity), askedAt: askedAt,
      maximumRequestDuration: context.options.maximumRequestDuration)
    if let conclusion = LookupConclusion.uncounted(
      entry, increments, record, of: entity, isListed: isListed, current: current, in: stage)
    {
      return conclusion
    }
    let rival = try transaction.rival(for: record.objectID, of: entry.key)
    if let conclusion = LookupConclusion.present(
      entry, doubt, record, of: entity, hasRival: rival != nil, current: current,
      in: stage)
    {
      return conclusion
    }
    let stage = self.stage ?? entry.kind.stage
    let wasCreate = entry.kind == .create || entry.kind == .deleteAfterCreate
    let mark = wasCreate ? try transaction.formerMark(on: record, of: entity) : nil
    if wasCreate {
      entry = try transaction.name(
        entry, to: record.objectID, createdAt: record.createdAt, now: context.environment.now())
      try transaction.completeAccessList(of: entry.key, by: record.acl)
      // A trigger of the app may change the row as it gets its id.
      current = try transaction.contents(of: entry.key) ?? former
    }
    return .settled(
      entry, record, of: entity, wasCreate: wasCreate, formerMark: mark, isListed: isListed,
      current: current, in: stage)
  }

  private func apply(
    _ conclusion: LookupConclusion, in transaction: any SyncTransaction
  ) throws(StoreError) {
    switch conclusion.next {
    case .reinstate(let row), .takeBack(let row): try transaction.reinstate(row)
    case .nothing, .importRecord: break
    }
    try transaction.keep(
      conclusion.entry, isDone: conclusion.isDone, isForgotten: conclusion.isForgotten)
  }

  private func report(_ actions: [SyncAction]) {
    context.ledger.act(actions)
    context.notice(parked: actions)
  }

  /// Whether a missing create can no longer appear.
  ///
  /// With a minted id this does not matter: the server would refuse a second create as a duplicate.
  private func isOver(_ entry: OutboxEntry) -> Bool {
    guard entry.kind == .create || entry.kind == .deleteAfterCreate, entry.clientKey != nil
    else { return true }
    return entry.isOver(
      .create, at: context.environment.now(),
      maximumRequestDuration: context.options.maximumRequestDuration)
  }

  /// Handles a class that refuses lookups.
  ///
  /// A create is then undecidable until the class may be read, and a denied change is parked. Every other write stays
  /// in doubt.
  private func cannotAsk(
    _ doubts: [WriteInDoubt], of entity: Entity, _ failure: ClassFailure
  ) throws(SyncError) {
    let (unknown, actions) = try context.write(.full) { transaction throws(StoreError) in
      let keys = doubts.map(\.key)
      let entries = try transaction.entries(keys).values.filter { !$0.isUndecidable }
      let rows = failure.isForbidden ? try transaction.rows(keys) : [:]
      let reasons = Dictionary(doubts.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
      let conclusions =
        failure.isForbidden
        ? entries.compactMap { entry in
          reasons[entry.key].flatMap {
            LookupConclusion.undecidable(
              entry, $0.concerning(entry), code: failure.code?.rawValue,
              current: rows[entry.key]?.contents, in: stage)
          }
        }
        : []
      for conclusion in conclusions { try apply(conclusion, in: transaction) }
      return (entries.count, conclusions.flatMap(\.actions))
    }
    report(actions)
    guard unknown > 0 else { return }
    context.notice(
      SyncNotice(
        .outcomeUnknown, className: entity.name,
        "The outcome of \(unknown.counted("change")) of \(entity.name) is unknown, and the class cannot "
          + "be asked for. Nothing was lost. \(failure)"))
  }
}

/// The results of a lookup for a list of entries, by object id or by client key.
private struct FoundRecords {
  /// When the server was asked, or before.
  let askedAt: Timestamp
  let uptime: Double
  private var byObjectID: [String: ServerRecord] = [:]
  private var byClientKey: [String: ServerRecord] = [:]
  private var unreadable: [RecordFailure] = []
  /// The records marked as deleted that cannot be read as a whole, by object id.
  private var marked: [String: RecordFailure] = [:]
  /// The pairs that the server may have without showing them, by object id.
  private var unshown: [String: UnshownPair] = [:]

  private struct UnshownPair {
    let record: ServerRecord
    /// Whether the server shows the owner, and not the member.
    let isOwnerShown: Bool
  }

  init(
    of entries: [OutboxEntry], askedAt: (now: Timestamp, uptime: Double), in context: ClassContext
  ) throws(ClassError) {
    (self.askedAt, uptime) = askedAt
    if let membership = context.entity.membership {
      try ask(about: entries, membership, in: context)
      return
    }
    let lookup = RecordLookup(context: context)
    let keys = entries.compactMap(\.lookupKey)
    let ids = entries.filter { $0.lookupKey == nil }.map(\.lookupID)
    let rowsByID = try lookup.rows(objectIDs: ids)
    let rowsByKey = try lookup.rows(clientKeys: keys)
    for failure in rowsByID.failures + rowsByKey.failures {
      if let record = failure.markedAsDeleted {
        marked[record.objectID] = failure
      } else {
        unreadable.append(failure)
      }
    }
    let deleted = marked.values.compactMap(\.markedAsDeleted)
    for record in rowsByID.records + deleted { byObjectID[record.objectID] = record }
    // Of two records with one key, the older is the original; the import merges the other into it.
    for record in (rowsByKey.records + deleted).sorted(by: { $0.createdAt > $1.createdAt }) {
      if let key = record.clientKey { byClientKey[key] = record }
    }
  }

  private mutating func ask(
    about entries: [OutboxEntry], _ membership: Membership, in context: ClassContext
  ) throws(ClassError) {
    let pairs = Set(entries.compactMap { MemberPair(objectID: $0.lookupID) })
    let answer = try MemberLookup(context: context, membership: membership).answer(about: pairs)
    for pair in pairs.subtracting(answer.absent) {
      let record = ServerRecord(pair, of: membership, in: context.entity)
      if answer.present.contains(pair) {
        byObjectID[pair.objectID] = record
      } else {
        unshown[pair.objectID] = UnshownPair(
          record: record, isOwnerShown: answer.hidden.contains(pair))
      }
    }
  }

  /// The record as an import takes it.
  func page(of record: ServerRecord) -> (records: [ServerRecord], failures: [RecordFailure]) {
    if let failure = marked[record.objectID] { ([], [failure]) } else { ([record], []) }
  }

  /// The entry's record; nil if the server does not have it.
  ///
  /// A removal of a pair counts as not carried out unless the server shows that the pair is gone. Of a denied one, the
  /// owner is gone if nobody sees it.
  func record(of entry: OutboxEntry, _ doubt: WriteInDoubt) -> ServerRecord? {
    if let record = entry.lookupKey.map({ byClientKey[$0] }) ?? byObjectID[entry.lookupID] {
      return record
    }
    guard entry.kind == .delete || entry.kind == .deleteAfterCreate,
      let pair = unshown[entry.lookupID], pair.isOwnerShown || doubt.reason != .denied
    else { return nil }
    return pair.record
  }

  /// Why the entry's record cannot be read; nil if no such record was found.
  ///
  /// The key of a record that cannot be read is found in its text: it is random and long.
  func reasonUnreadable(of entry: OutboxEntry) -> String? {
    unreadable.first { failure in
      guard let key = entry.lookupKey else { return failure.objectID == entry.objectID }
      return String(decoding: failure.json, as: UTF8.self).contains(key)
    }?.reason
  }
}

extension OutboxEntry {
  /// The client key for looking an unfinished create up; nil if its object id is enough.
  fileprivate var lookupKey: String? {
    kind == .create || kind == .deleteAfterCreate ? clientKey : nil
  }
}

extension LookupConclusion.Next {
  fileprivate var importsRecord: Bool {
    switch self {
    case .importRecord, .takeBack: true
    case .nothing, .reinstate: false
    }
  }
}
