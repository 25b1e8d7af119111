// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import Randomness

// Generated edits, and what the engine does between them.
extension FoldingWorld {
  /// An edit with the same meaning in every copy of a world.
  enum Edit {
    case insert(Fields)
    /// A record takes the local id that a deleted row had.
    case insertElsewhere(Int, row: Int, Fields)
    /// The rows exchange their local ids.
    case renumber
    case update(row: Int, Fields)
    case delete(row: Int)
    /// A deleted record is inserted again under its object id.
    case bringBack(Int, Fields)
    case replace(row: Int, Fields, keepsLocalID: Bool)

    init(_ chance: inout SeededGenerator) {
      let number = chance.number(below: 100)
      let fields = FoldingWorld.fields(&chance)
      self =
        switch chance.number(below: 10) {
        case 0: .insert(fields)
        case 1, 2: .delete(row: number)
        case 3, 4: .bringBack(number, fields)
        case 6: .insertElsewhere(number, row: chance.number(below: 100), fields)
        case 7: chance.one(in: 3) ? .renumber : .delete(row: number)
        case 5: .replace(row: number, fields, keepsLocalID: chance.one(in: 2))
        default: .update(row: number, fields)
        }
    }
  }

  /// A world with synced rows alone.
  static func synced(_ chance: inout SeededGenerator, acl: Value) -> FoldingWorld {
    var world = FoldingWorld()
    for number in 0..<chance.number(below: 4) {
      _ = world.synced("s\(number)", fields(&chance).withoutNulls, acl: acl)
    }
    return world
  }

  /// Values for some fields; null clears a field.
  private static func fields(_ chance: inout SeededGenerator) -> Fields {
    var fields = Fields()
    for name in GeneratedFields.names where chance.one(in: 2) {
      let number = chance.number(below: 3)
      fields[name] = number == 0 ? .null : .integer(Int64(number))
    }
    return fields
  }

  mutating func perform(_ edit: Edit) {
    let ids = rows.keys.sorted()
    func row(_ number: Int) -> LocalID? { ids.isEmpty ? nil : ids[number % ids.count] }
    switch edit {
    case .insert(let fields): _ = insert("m\(log.count)", fields.withoutNulls)
    case .update(let number, let fields): if let id = row(number) { update(id, fields) }
    case .delete(let number): if let id = row(number) { delete(id) }
    case .replace(let number, let fields, let keeps):
      if let id = row(number) {
        _ = replace(id, with: fields.withoutNulls, keepingLocalID: keeps)
      }
    case .bringBack(let number, let fields):
      let gone = goneObjectIDs
      if !gone.isEmpty { _ = insert(gone[number % gone.count], fields.withoutNulls) }
    case .insertElsewhere(let number, let rowNumber, let fields):
      let places = goneLocalIDs
      guard !places.isEmpty else { return }
      let records = goneObjectIDs + ["m\(log.count)"]
      _ = insert(
        records[number % records.count], fields.withoutNulls, at: places[rowNumber % places.count])
    case .renumber:
      let old = ids.compactMap { rows[$0] }
      for row in old { delete(row.localID) }
      for (row, id) in zip(old, ids.reversed()) { _ = insert(row.objectID, row.fields, at: id) }
    }
  }

  /// Changes an entry by something other than folding: sending, answers, lost answers, refusals.
  mutating func move(_ chance: inout SeededGenerator) {
    guard !entries.isEmpty else { return }
    let entry = chance.pick(entries)
    let id = entry.localID
    let time = Self.createdAt
    let current = rows[id]?.fields
    switch (entry.state, chance.number(below: 5)) {
    case (.ready, _): send(id)
    case (.sending, 0):
      change(id) {
        $0.acknowledge(answer: [:], version: nil, createdAt: time, current: current)
      }
    case (.sending, 1): change(id) { $0.refuse(Refusal(reason: .refused, message: "")) }
    case (.sending, 2): change(id) { $0.postpone() }
    case (.sending, let number): change(id) { $0.lose(timedOut: number == 3) }
    case (.inDoubt, 0), (.inDoubt, 1): change(id) { $0.resolveAbsent() }
    case (.inDoubt, _):
      change(id) {
        $0.resolvePresent(version: nil, createdAt: time, remote: ["f": 1], current: current)
      }
    case (.parked, _), (.blocked, _), (.confirming, _): break
    }
  }

  /// The object ids of rows that were deleted, in a stable order.
  private var goneObjectIDs: [String] {
    let present = Set(rows.values.map(\.objectID))
    let gone = log.compactMap { row -> String? in
      if case .delete(let old) = row.kind { old.objectID } else { nil }
    }
    return Set(gone).subtracting(present).sorted()
  }

  /// The local ids of rows that were deleted, in a stable order.
  private var goneLocalIDs: [LocalID] {
    Set(log.map(\.localID)).subtracting(rows.keys).sorted()
  }
}
