// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// Makes the rows of pairs what the server showed, except where the app's own changes are unsent.
struct MemberImport {
  let context: ClassContext
  let membership: Membership

  private var entity: Entity { context.entity }

  /// Writes rows and marks of some owners in one transaction.
  ///
  /// - Parameters:
  ///   - lists: The owners, with their members.
  ///   - mark: The mark of an owner with that version.
  /// - Throws: `ClassError` if the store cannot be written.
  func take(
    _ lists: [MemberList], mark: (ServerVersion) -> String
  ) throws(ClassError) {
    let actions = try context.write(.full) { transaction throws(StoreError) in
      try transaction.fold()
      let unsent = try UnsentMembers(of: entity, in: transaction)
      var actions: [SyncAction] = []
      for list in lists { actions += try take(list, unsent, in: transaction) }
      for (part, lists) in Dictionary(
        grouping: lists, by: { MemberMarks.part(of: $0.owner.objectID) })
      {
        try transaction.change(.memberMarks(of: entity.name, part: part)) { marks in
          for list in lists {
            marks[list.owner.objectID] = list.owner.version.map(mark)
          }
        }
      }
      return actions
    }
    context.ledger.act(actions)
  }

  private func take(
    _ list: MemberList, _ unsent: UnsentMembers, in transaction: any SyncTransaction
  ) throws(StoreError) -> [SyncAction] {
    let owner = Pointer(className: membership.ownerClass, objectID: list.owner.objectID)
    let rows = try transaction.records(
      Query(entity.name, where: .field(Membership.owner, .equal, .pointer(owner))))
    let shown = Set(list.members)
    var present = Set<String>()
    var gone: [Record] = []
    for row in rows {
      guard let pair = MemberPair(row.fields) else { continue }
      let isSettled = row.createdAt != nil && !unsent.rows.contains(row.localID)
      // A second row of one pair says nothing.
      let stays = !isSettled || shown.contains(pair.member) && !present.contains(pair.member)
      if stays { present.insert(pair.member) } else { gone.append(row) }
    }
    let new = list.members.map { MemberPair(owner: list.owner.objectID, member: $0) }
      .filter { !present.contains($0.member) && !unsent.leaves($0) }
    if !gone.isEmpty { try transaction.remove(gone.map(\.localID), from: entity.name) }
    let created = list.owner.createdAt ?? .unknownPairTime
    let ids = try transaction.apply(
      new.map { pair in
        let fields = membership.fields(of: pair)
        return ImportRow(
          objectID: pair.objectID, createdAt: created, version: nil, acl: .null,
          values: entity.fields.map { fields[$0.name] ?? .null })
      }, to: entity.name)
    return zip(new, ids).map { action(.insert, $1, $0.objectID) }
      + gone.map { action(.remove, $0.localID, $0.objectID) }
  }

  private func action(
    _ kind: SyncAction.Kind, _ localID: LocalID, _ objectID: String
  ) -> SyncAction {
    SyncAction(
      kind, in: .importing, className: entity.name, localID: localID, objectID: objectID)
  }
}

/// The unsent changes of members, which win over any list until they are sent.
private struct UnsentMembers {
  /// Rows with an unsent change.
  var rows = Set<LocalID>()
  /// Pairs that the app removed.
  private var removed = Set<MemberPair>()
  /// Pairs whose rows another program has edited; the rows still have the ids of the pairs.
  private var edited = Set<MemberPair>()

  /// Whether the store gets no row for a pair that the server has.
  func leaves(_ pair: MemberPair) -> Bool { removed.contains(pair) || edited.contains(pair) }

  init(of entity: Entity, in transaction: any SyncTransaction) throws(StoreError) {
    try transaction.forEachPendingEntry(of: entity.name) { entry throws(StoreError) in
      rows.insert(entry.localID)
      switch entry.kind {
      case .delete:
        if let pair = MemberPair(entry.base) ?? MemberPair(objectID: entry.objectID) {
          removed.insert(pair)
        }
      case .deleteAfterCreate:
        for attempt in entry.attempts {
          if let pair = MemberPair(attempt.sent) { removed.insert(pair) }
        }
      case .update: if let pair = MemberPair(objectID: entry.objectID) { edited.insert(pair) }
      case .create: break
      }
    }
  }
}
