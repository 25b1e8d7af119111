// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// Sends new members of relations, once the server has owner and member.
struct MemberAdditions {
  let context: StageContext

  func send() throws(SyncError) {
    guard context.schema.entities.contains(where: { $0.membership != nil }) else { return }
    guard try !totals().counts.isEmpty else { return }
    try settlePairs()
    let totals = try totals()
    var progress = UploadProgress(of: totals.counts)
    try OutboxPage.forEach(in: context, unless: { !isDue($0, totals) }) { page throws(SyncError) in
      var wave = page.planner.creates()
      for (key, parents) in wave.waiting {
        wave.stuck[key] = parents.first.map {
          .blocked(by: .record(Waiting($0.key, field: $0.field)))
        }
      }
      try Blocking(context: context, stage: .putUpdated).record(wave.stuck)
      guard !wave.writes.isEmpty else { return }
      let usesBatches = try BatchProbe(context: context).isWorthwhile(for: wave.writes)
      let remainder = try Uploader(.putUpdated, in: context, usesBatches: usesBatches)
        .send(wave.writes, &progress)
      try OutcomeResolution(context: context, stage: .putUpdated).resolve(remainder.inDoubt)
    }
  }

  private func totals() throws(SyncError) -> UnsentTotals {
    try UnsentTotals(.create, in: context).of(context.schema, areMembers: true)
  }

  private func isMember(_ entry: OutboxEntry) -> Bool {
    context.schema.entity(entry.className)?.membership != nil
  }

  private func isDue(_ entry: OutboxEntry, _ totals: UnsentTotals) -> Bool {
    guard entry.kind == .create, isMember(entry) else { return false }
    return entry.localID <= totals.last[entry.className] ?? LocalID(rawValue: 0)
  }

  /// Settles what the app did with pairs before anything of it is sent.
  private func settlePairs() throws(SyncError) {
    try context.write(.full) { transaction throws(StoreError) in
      try transaction.fold()
      for entity in context.schema.entities where entity.membership != nil {
        var removed: [MemberPair: OutboxEntry] = [:]
        var added: [OutboxEntry] = []
        try transaction.forEachPendingEntry(of: entity.name) { entry throws(StoreError) in
          switch entry.kind {
          // A request that has left may still arrive.
          case .delete where entry.mayMove && entry.attempts.isEmpty:
            if let pair = MemberPair(entry.base) { removed[pair] = entry }
          case .create where entry.mayMove: added.append(entry)
          default: break
          }
        }
        guard !added.isEmpty else { continue }
        let rows = try transaction.rows(added.map(\.key))
        let additions = added.compactMap { entry in
          rows[entry.key].flatMap { MemberPair($0.fields) }.map { (entry: entry, pair: $0) }
        }
        let rest = try joinReturned(additions, &removed, of: entity, in: transaction)
        try removeRepeated(rest, of: entity, in: transaction)
      }
    }
  }

  private typealias Addition = (entry: OutboxEntry, pair: MemberPair)

  /// Takes a removal and a later addition of one member back, of which the server has heard nothing.
  ///
  /// The server would otherwise carry out the removal after the addition, because deletes go last.
  ///
  /// - Returns: The other additions.
  private func joinReturned(
    _ additions: [Addition], _ removed: inout [MemberPair: OutboxEntry], of entity: Entity,
    in transaction: any SyncTransaction
  ) throws(StoreError) -> [Addition] {
    var rest: [Addition] = []
    for (entry, pair) in additions {
      guard let former = removed.removeValue(forKey: pair) else {
        rest.append((entry, pair))
        continue
      }
      try transaction.removeOutboxEntries(
        of: entity.name, localIDs: [former.localID, entry.localID])
      try transaction.bindRow(
        entry.key, from: entry.objectID, to: pair.objectID,
        createdAt: former.createdAt ?? .unknownPairTime)
    }
    return rest
  }

  /// Removes new rows of pairs that another row has already, such as those of plain SQL: members are a set.
  private func removeRepeated(
    _ additions: [Addition], of entity: Entity, in transaction: any SyncTransaction
  ) throws(StoreError) {
    var seen = Set<MemberPair>()
    var repeated: [LocalID] = []
    for (entry, pair) in additions {
      let former = try transaction.record(of: entity.name, objectID: pair.objectID)
      if former != nil || !seen.insert(pair).inserted { repeated.append(entry.localID) }
    }
    guard !repeated.isEmpty else { return }
    try transaction.remove(repeated, from: entity.name)
    try transaction.removeOutboxEntries(of: entity.name, localIDs: repeated)
  }
}
