// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import LoopbackParse

// The members of relations.
extension Player {
  /// Carries a change of a relation out, if both rows are there.
  func relate(_ edit: MemberEdit, by writer: Writer) throws {
    let pair = MemberHistory.Pair(owner: edit.owner, member: edit.member)
    var isOpen = false
    for device in devices where writer != .app(device.number) {
      isOpen = try device.members().unsent.contains(pair) || isOpen
    }
    let isDecisive: Bool
    switch writer {
    case .app(let number):
      let former = try devices[number].members()
      guard try devices[number].relate(edit) else { return }
      // A pair that only this device knows, or one that it has from the server.
      let isKnown = former.settled.contains(pair) || !membersOnServer().contains(pair)
      isDecisive = !isOpen && isKnown
    case .client:
      guard try relateAsClient(edit) else { return }
      isDecisive = !isOpen
    }
    memberHistory.made(edit, isDecisive: isDecisive)
    tally.count("a relation changes", isWithinSync: !courses.isEmpty)
    tale.add(.relate(writer, edit))
    if case .app(let number) = writer { noteEdit(on: number) }
  }

  private func relateAsClient(_ edit: MemberEdit) throws -> Bool {
    guard let made = world.classes.first(where: { $0.members != nil }),
      let owner = place(of: edit.owner), let member = place(of: edit.member),
      owner.className == made.name, member.className == made.members
    else { return false }
    let operation: LoopbackValue = [
      "__op": edit.adds ? "AddRelation" : "RemoveRelation",
      "objects": [.pointer(member.className, member.objectID)],
    ]
    try server.change {
      try $0.update(owner.className, owner.objectID, .object([Members.field: operation]))
    }
    return true
  }

  /// The pairs of records that the server has.
  func membersOnServer() -> Set<MemberHistory.Pair> {
    var pairs = Set<MemberHistory.Pair>()
    for made in world.classes {
      guard let target = made.members else { continue }
      for (owner, members) in server.members(of: made.name, Members.field) {
        let name = oracle.identities.name(Pointer(className: made.name, objectID: owner))
        guard isLive(Pointer(className: made.name, objectID: owner)) else { continue }
        for member in members {
          let other = oracle.identities.name(Pointer(className: target, objectID: member))
          guard isLive(Pointer(className: target, objectID: member)) else { continue }
          pairs.insert(MemberHistory.Pair(owner: name, member: other))
        }
      }
    }
    return pairs
  }

  private func isLive(_ record: Pointer) -> Bool {
    oracle.history.has(oracle.identities.name(record), under: record.objectID)
  }

  /// Everybody agrees about the members in the end.
  func checkMembers(_ views: [DeviceView]) throws(Violation) {
    guard world.hasMembers else { return }
    let server = membersOnServer()
    func isPlain(_ row: String) -> Bool {
      oracle.history.count(of: row) == 1 && !oracle.overdue.contains(row)
        && !oracle.unwatched.contains(row) && !oracle.history.removed.contains(row)
    }
    try memberHistory.check(server: server) { isPlain($0.owner) && isPlain($0.member) }
    for (view, device) in zip(views, devices) {
      let rows = Set(view.rows.map(\.name))
      let pairs: [MemberHistory.Pair]
      let unsent: Set<MemberHistory.Pair>
      do {
        // Pairs of records that are gone say nothing of others with the same names.
        let members = try device.members(where: { isLive($0) })
        (pairs, unsent) = (members.rows, members.unsent)
      } catch {
        throw Violation(.failedSync, "\(error)")
      }
      func isThere(_ row: String) -> Bool {
        rows.contains(row) && oracle.history.count(of: row) == 1
      }
      if let pair = unsent.filter({ isThere($0.owner) && isThere($0.member) }).min() {
        throw Violation(
          .stuck, "\(view.device) still has an unsent change of \(pair.member) in \(pair.owner)")
      }
      try memberHistory.check(view.device, pairs, server: server) {
        isThere($0.owner) && isThere($0.member)
      }
    }
  }
}

extension Device {
  /// The rows of members on a device, those of them that the server confirmed, and the pairs with unsent changes.
  struct MemberRows {
    var rows: [MemberHistory.Pair] = []
    var settled = Set<MemberHistory.Pair>()
    var unsent = Set<MemberHistory.Pair>()
  }

  ///
  /// - Parameter isWanted: Whether a record counts; others are left out with their pairs.
  /// - Returns: The rows.
  /// - Throws: `StoreError` if the store cannot be read.
  func members(where isWanted: (Pointer) -> Bool = { _ in true }) throws -> MemberRows {
    guard let made = surroundings.worldClasses.first(where: { $0.members != nil }),
      let pairs = made.pairs
    else { return MemberRows() }
    let identities = surroundings.identities
    func pair(_ fields: Fields) -> MemberHistory.Pair? {
      guard case .pointer(let owner)? = fields["owner"],
        case .pointer(let member)? = fields["member"], isWanted(owner), isWanted(member)
      else { return nil }
      return MemberHistory.Pair(owner: identities.name(owner), member: identities.name(member))
    }
    return try program.store.syncRead { db throws(StoreError) in
      var found = MemberRows()
      var rows: [LocalID: Fields] = [:]
      for record in try db.records(of: pairs.name) {
        rows[record.localID] = record.fields
        guard let pair = pair(record.fields) else { continue }
        found.rows.append(pair)
        if record.createdAt != nil { found.settled.insert(pair) }
      }
      for entry in try db.pendingEntries(of: pairs.name) {
        let values = [rows[entry.localID] ?? Fields(), entry.base] + entry.attempts.map(\.sent)
        found.unsent.formUnion(values.compactMap(pair))
      }
      return found
    }
  }

  /// Changes a relation; false if a row is not there, or nothing changes.
  func relate(_ edit: MemberEdit) throws -> Bool {
    guard let made = surroundings.worldClasses.first(where: { $0.members != nil }) else {
      return false
    }
    return try program.store.write { db in
      guard let owner = try self.record(edit.owner, db), owner.className == made.name,
        let member = try self.record(edit.member, db), member.className == made.members
      else { return false }
      return edit.adds
        ? try db.add(member.reference, to: Members.field, of: owner.reference)
        : try db.remove(member.reference, from: Members.field, of: owner.reference)
    }
  }
}
