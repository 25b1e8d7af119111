// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// Removes rows of one class that are proven to be gone, or holds them back.
struct MissingRemoval {
  let context: ClassContext

  private var entity: Entity { context.entity }
  private var key: BookkeepingKey<ClassState> { .classState(entity.name) }
  private var heldKey: BookkeepingKey<[String: Timestamp]> { .heldRemovals(entity.name) }
  private var totalsKey: BookkeepingKey<[String: Int]> { .totalsWhenHeld(entity.name) }
  private var keptKey: BookkeepingKey<[String: String]> { .keptRows(entity.name) }

  /// How a search ended.
  enum Outcome: Equatable {
    /// Those that are gone were removed, or are held; `shown` are candidates that the server showed.
    case settled(shown: Set<String>)
    /// The server counts records that it does not show; their rows stay.
    case hidden
    /// An answer cannot be trusted, and must be requested again.
    case unproven
  }

  /// Handles the result of a comparison and the rows that an earlier run held back.
  ///
  /// The canary is a row that the server showed; nil if there was none.
  func run(
    _ difference: RangeDifference, held: [String: Timestamp], canary: String?, counts: Bool
  ) throws(ClassError) -> Outcome {
    let stillHeld = held.filter { !difference.reappeared.contains($0.key) }
    // Each run tries again to remove the rows that a rule kept.
    let missing = difference.missing.union(try context.state(keptKey).keys)
    var candidates = missing.union(difference.missingQuarantined)
    guard !candidates.isEmpty || !held.isEmpty || !difference.missingDeletions.isEmpty else {
      return .settled(shown: [])
    }
    let action = try action(on: candidates.union(stillHeld.keys), isHeld: !stillHeld.isEmpty)
    candidates.formUnion(difference.missingDeletions)
    // Rows held back by an earlier run are checked again only if they may be removed now.
    if action.isPass { candidates.formUnion(stillHeld.keys) }
    switch try proof(candidates, canary: canary, counts: counts) {
    case .gone(let ids):
      try context.change(keptKey) { $0 = [:] }
      try act(on: Set(ids), difference, stillHeld, keepsHeld: !action.isPass)
      return .settled(shown: candidates.subtracting(ids))
    case .untrustworthy:
      notice(
        "The server did not show \(candidates.count.counted("record")) of \(entity.name), and not a record "
          + "either that is there, so that no deletion is proven. Nothing was removed; the next sync looks again."
      )
      return .unproven
    case .hidden:
      notice(
        "The server hides records of \(entity.name) that it counts. They are kept here.")
      return .hidden
    }
  }

  /// Removes the rows, or holds them back.
  private func act(
    on gone: Set<String>, _ difference: RangeDifference, _ stillHeld: [String: Timestamp],
    keepsHeld: Bool
  ) throws(ClassError) {
    let missing = gone.subtracting(difference.missingQuarantined)
      .subtracting(difference.missingDeletions)
    try endDeletes(of: difference.missingDeletions.filter(gone.contains))
    try forget(difference.missingQuarantined.filter(gone.contains))
    let waiting = keepsHeld ? missing.union(stillHeld.keys) : missing
    guard !waiting.isEmpty else { return try setHeld([:]) }
    switch try action(on: waiting, isHeld: !stillHeld.isEmpty) {
    case .pass:
      context.stage.passed(entity.name, on: .local, waiting)
      try remove(waiting.sorted())
      try setHeld([:])
    case .hold(let removal, let fewest):
      try context.change(totalsKey) { $0[removal.side.rawValue] = fewest }
      try hold(removal, waiting)
    }
  }

  /// Whether removals pass; `isHeld` says that an earlier run held some of them.
  private func action(
    on objectIDs: Set<String>, isHeld: Bool
  ) throws(ClassError) -> DeleteGuard.Action {
    // No row goes, so that nothing has to be guarded.
    guard entity.deletionStrategy != .never else { return .pass }
    let today = context.environment.day
    return try context.read { reader throws(StoreError) in
      DeleteGuard(
        limit: context.options.removalLimit, confirmed: context.confirmedRemovals
      ).action(
        entity.name, on: .local, removing: objectIDs,
        of: try reader.acknowledgedCount(of: entity.name),
        whenHeld: isHeld ? try reader.state(totalsKey)[GuardedRemoval.Side.local.rawValue] : nil,
        removedToday: try reader.state(key).removals.on(today).local)
    }
  }

  /// Whether the candidates are certainly gone.
  private func proof(
    _ candidates: Set<String>, canary: String?, counts: Bool
  ) throws(ClassError) -> AbsenceCheck.Conclusion {
    guard !candidates.isEmpty else { return .gone([]) }
    var canary = canary
    // Where no row goes, any other row may be that of a deleted record, too.
    if canary == nil, entity.deletionStrategy != .never { canary = try otherRow(than: candidates) }
    return try ComparisonQueries(context: context)
      .gone(candidates.sorted(), canary: canary, counts: counts)
  }

  private func notice(_ message: String) {
    context.stage.notice(SyncNotice(.absenceUnproven, className: entity.name, message))
  }

  /// A row of the class that is not under suspicion.
  private func otherRow(than candidates: Set<String>) throws(ClassError) -> String? {
    let held = try context.state(heldKey)
    return try context.read { reader throws(StoreError) in
      var last = LocalID(rawValue: 0)
      while true {
        let page = try reader.acknowledged(of: entity.name, after: last, limit: 1000)
        guard let newest = page.last else { return nil }
        last = newest.localID
        let other = page.first { !candidates.contains($0.objectID) && held[$0.objectID] == nil }
        if let other { return other.objectID }
      }
    }
  }

  private func hold(_ removal: GuardedRemoval, _ objectIDs: Set<String>) throws(ClassError) {
    let rows = try context.read { reader throws(StoreError) in
      try reader.versions(of: entity.name, objectIDs: objectIDs.sorted())
    }
    try setHeld(rows.compactMapValues(\.createdAt))
    context.ledger.act(
      rows.sorted { $0.value.localID < $1.value.localID }.map { objectID, row in
        SyncAction(
          .hold, in: .deleteMissing, className: entity.name, localID: row.localID,
          objectID: objectID, reason: "More rows are gone than pass without a confirmation.")
      })
    context.stage.guarded(
      removal,
      removal.count > removal.total
        ? "\(removal.count.counted("record is", "records are")) gone on the server of \(entity.name), and the app "
          + "has deleted local rows of them too: the class has \(removal.total.counted("row")) left. Nothing was removed. To "
          + "settle all of them, confirm \(removal.confirmation)."
        : "\(removal.share("row", "is", "are")) gone on the server, which is "
          + "more than the engine removes without a confirmation. They are kept here. If they should "
          + "go, confirm \(removal.confirmation). If not, find out what happened on the server.")
  }

  private func setHeld(_ held: [String: Timestamp]) throws(ClassError) {
    let before = try context.state(heldKey)
    guard before != held else { return }
    try context.change(heldKey) { $0 = held }
  }

  private func forget(_ quarantined: [String]) throws(ClassError) {
    guard !quarantined.isEmpty else { return }
    try context.write(.normal) { transaction throws(StoreError) in
      try transaction.removeFromQuarantine(entity.name, objectIDs: quarantined)
    }
  }

  /// Ends the deletes of records that are gone.
  ///
  /// The server may refuse a delete, and another client may carry it out. Without this, the server's count would
  /// differ in every sync.
  private func endDeletes(of objectIDs: Set<String>) throws(ClassError) {
    guard !objectIDs.isEmpty else { return }
    try context.write(.full) { transaction throws(StoreError) in
      try transaction.fold()
      for var entry in try transaction.outboxEntries(
        of: entity.name, objectIDs: objectIDs.sorted())
      where entry.kind == .delete {
        try transaction.keep(entry, isDone: entry.resolveAbsent())
      }
    }
  }

  private func remove(_ objectIDs: [String]) throws(ClassError) {
    for chunk in objectIDs.chunks(of: 5_000) {
      try context.checkCancellation()
      do {
        let actions = try context.write(.full) { transaction throws(StoreError) in
          try transaction.fold()
          return try remove(chunk, in: transaction)
        }
        context.ledger.act(actions)
      } catch .failsClass(.storeRefuses) {
        try removeAllowed(chunk)
      }
    }
  }

  /// Removes those rows that the store lets go, because a rule of another program keeps at least one.
  private func removeAllowed(_ objectIDs: [String]) throws(ClassError) {
    let (actions, kept) = try context.write(.full) { transaction throws(StoreError) in
      try transaction.fold()
      var kept: [String: String] = [:]
      let actions = try removeInParts(objectIDs, in: transaction, &kept)
      let rows = try transaction.versions(of: entity.name, objectIDs: kept.keys.sorted())
      try transaction.change(keptKey) { $0.merge(kept) { $1 } }
      return (actions + rows.values.map { waiting($0, for: kept[$0.objectID] ?? "") }, kept)
    }
    context.ledger.act(actions.sorted { ($0.localID ?? LocalID()) < ($1.localID ?? LocalID()) })
    guard let first = kept.min(by: { $0.key < $1.key }) else { return }
    let isOne = kept.count == 1
    context.stage.notice(
      SyncNotice(
        .rowRefused, className: entity.name, objectID: isOne ? first.key : nil,
        "\(kept.count.counted("record")) of \(entity.name) \(isOne ? "is" : "are") gone on the server, and "
          + "\(first.value) keeps \(isOne ? "the row" : "their rows"). Everything else went on. Drop the "
          + "rule; each sync tries to remove \(isOne ? "the row" : "the rows")."))
  }

  private func waiting(_ row: StoredVersion, for rule: String) -> SyncAction {
    SyncAction(
      .wait, in: .deleteMissing, className: entity.name, localID: row.localID,
      objectID: row.objectID,
      reason: "Gone on the server, and \(rule) keeps the row.")
  }

  private func removeInParts(
    _ objectIDs: [String], in transaction: any SyncTransaction,
    _ kept: inout [String: String]
  ) throws(StoreError) -> [SyncAction] {
    do {
      return try transaction.attempt { () throws(StoreError) in
        try remove(objectIDs, in: transaction)
      }
    } catch {
      guard error.refusal == .row else { throw error }
      guard let halves = RequestSize.halves(of: objectIDs) else {
        let rule = try transaction.rule(of: error, on: entity.name)
        for objectID in objectIDs { kept[objectID] = rule }
        return []
      }
      var actions: [SyncAction] = []
      for half in halves { actions += try removeInParts(half, in: transaction, &kept) }
      return actions
    }
  }

  private func remove(
    _ objectIDs: [String], in transaction: any SyncTransaction
  ) throws(StoreError) -> [SyncAction] {
    let rows = try transaction.records(of: entity.name, objectIDs: objectIDs)
      .filter { $0.createdAt != nil }
    var entries: [LocalID: OutboxEntry] = [:]
    for entry in try transaction.outboxEntries(of: entity.name, localIDs: rows.map(\.localID)) {
      entries[entry.localID] = entry
    }
    let planner = RemovalPlanner(
      className: entity.name,
      deletionPolicy: context.conflicts.deletionPolicy(for: entity.name),
      keepsRows: entity.deletionStrategy == .never,
      userID: try transaction.state(.binding)?.userID, now: context.environment.now(),
      foldedThrough: try transaction.foldedThrough())
    let undeclared = try transaction.undeclaredFields(
      of: entity.name, localIDs: rows.map(\.localID))
    let plan = planner.plan(rows, entries: entries, undeclared: undeclared)
    for entry in plan.conflicts { try transaction.recordConflict(entry) }
    for entry in plan.done { try transaction.keep(entry, isDone: true) }
    try transaction.remove(plan.removed, from: entity.name)
    try transaction.removeFromQuarantine(entity.name, objectIDs: objectIDs)
    for recreation in plan.recreated {
      try transaction.recreate(recreation.row)
      try transaction.put(recreation.entry)
      if let conflict = recreation.conflict { try transaction.recordConflict(conflict) }
    }
    try transaction.change(key) { state in
      state.removals = state.removals.on(context.environment.day)
      state.removals.local += plan.removed.count
    }
    return plan.actions
  }
}

extension DeleteGuard.Action {
  fileprivate var isPass: Bool { self == .pass }
}

extension SyncEnvironment {
  /// The number of the present day by the environment's clock, in UTC.
  var day: Int64 { now().milliseconds / 86_400_000 }
}
