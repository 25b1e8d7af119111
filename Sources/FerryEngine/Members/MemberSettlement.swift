// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// Settles what the app did with the members of a relation, before anything of it is sent.
///
/// The rows of pairs are named by their pairs, and folding knows rows by their ids. So a pair that goes and comes back, or
/// that gets another owner, has to be brought together here.
struct MemberSettlement {
  private let entity: Entity
  private let transaction: any SyncTransaction
  private let environment: SyncEnvironment

  /// Settles the pairs of all classes of members.
  static func settle(in context: StageContext) throws(SyncError) {
    let entities = context.schema.entities.filter { $0.membership != nil }
    guard !entities.isEmpty else { return }
    let counts = try context.read { reader throws(StoreError) in
      try reader.isFoldedToTheEnd() ? reader.outboxCounts() : nil
    }
    if let counts, !entities.contains(where: { counts[$0.name] != nil }) { return }
    let repeated = try context.write(.full) { transaction throws(StoreError) in
      try transaction.fold()
      var repeated: [SyncAction] = []
      for entity in entities {
        repeated += try MemberSettlement(
          entity: entity, transaction: transaction, environment: context.environment
        ).run()
      }
      return repeated
    }
    context.ledger.act(repeated)
  }

  /// - Returns: The rows that leave, because another row has their pair.
  private func run() throws(StoreError) -> [SyncAction] {
    var removed: [MemberPair: OutboxEntry] = [:]
    var added: [OutboxEntry] = []
    var moved: [OutboxEntry] = []
    try transaction.forEachPendingEntry(of: entity.name) { entry in
      if let pair = entry.removedPair {
        removed[pair] = entry
      } else if entry.kind == .create, entry.mayMove {
        added.append(entry)
      } else if entry.isRewrittenAlone {
        moved.append(entry)
      }
    }
    added += try addAgain(moved)
    guard !added.isEmpty else { return [] }
    let rows = try transaction.rows(added.map(\.key))
    let additions = added.compactMap { entry in
      rows[entry.key].flatMap { row in
        MemberPair(row.fields).map { Addition(entry: entry, row: row, pair: $0) }
      }
    }
    return try removeRepeated(joinRemovals(&removed, with: additions))
  }

  private struct Addition {
    let entry: OutboxEntry
    let row: Record
    let pair: MemberPair
  }

  /// Makes rows new whose owner or member goes by another id now: the server has no pair of that id.
  ///
  /// A rule of another program may keep such a row as it is. The sync parks it then.
  private func addAgain(_ moved: [OutboxEntry]) throws(StoreError) -> [OutboxEntry] {
    guard !moved.isEmpty else { return [] }
    let rows = try transaction.rows(moved.map(\.key))
    var added: [OutboxEntry] = []
    for entry in moved {
      guard var row = rows[entry.key]?.unknownToServer else { continue }
      row.objectID = environment.mintID()
      let isDone = try transaction.attemptUnlessRefused { () throws(StoreError) in
        try transaction.recreate(row)
      }
      guard isDone else { continue }
      let addition = OutboxEntry(creating: row, foldedThrough: entry.foldedThrough)
      try transaction.put(addition)
      added.append(addition)
    }
    return added
  }

  /// Takes a removal and a later addition of one member together, whatever became of the removal.
  ///
  /// Apart from each other, the removal would be sent after the addition, or wait for an answer that takes the new member
  /// along.
  ///
  /// - Returns: The other additions.
  private func joinRemovals(
    _ removed: inout [MemberPair: OutboxEntry], with additions: [Addition]
  ) throws(StoreError) -> [Addition] {
    var rest: [Addition] = []
    for addition in additions {
      guard let removal = removed.removeValue(forKey: addition.pair) else {
        rest.append(addition)
        continue
      }
      try transaction.attemptUnlessRefused { () throws(StoreError) in
        try join(removal, with: addition)
      }
    }
    return rest
  }

  private func join(_ removal: OutboxEntry, with addition: Addition) throws(StoreError) {
    let change = removal.returning(as: addition.row, at: addition.entry.foldedThrough)
    try transaction.removeOutboxEntries(
      of: entity.name, localIDs: [removal.localID, addition.entry.localID])
    if change?.kind == .create {
      var row = addition.row
      row.objectID = removal.objectID
      try transaction.recreate(row)
    } else {
      try transaction.bindRow(
        addition.entry.key, from: addition.entry.objectID, to: removal.objectID,
        createdAt: removal.createdAt ?? .unknownPairTime)
    }
    if let change { try transaction.put(change) }
  }

  /// Removes new rows of pairs that another row has already, such as those of plain SQL: members are a set.
  private func removeRepeated(_ additions: [Addition]) throws(StoreError) -> [SyncAction] {
    var first: [MemberPair: LocalID] = [:]
    var repeated: [SyncAction] = []
    for addition in additions {
      let key = addition.entry.key
      let former = try transaction.record(of: entity.name, objectID: addition.pair.objectID)
      let holder = former?.localID ?? first[addition.pair] ?? key.localID
      first[addition.pair] = holder
      guard holder != key.localID else { continue }
      repeated.append(
        SyncAction(
          .remove, in: .putUpdated, className: entity.name, localID: key.localID, objectID: nil,
          reason: "Row \(holder) has the same owner and member, and members are a set."))
    }
    guard !repeated.isEmpty else { return [] }
    let localIDs = repeated.compactMap(\.localID)
    try transaction.remove(localIDs, from: entity.name)
    try transaction.removeOutboxEntries(of: entity.name, localIDs: localIDs)
    return repeated
  }
}
