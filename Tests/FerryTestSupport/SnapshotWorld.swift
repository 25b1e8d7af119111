// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import Randomness
import Testing

/// A snapshot that is edited, merged and saved at random, while a sync and another part of the app write.
///
/// The world notes by itself what the app wants of each row, and which values it has seen. So it knows when a save must be
/// refused, and what each save and each merge must come to.
@MainActor
struct SnapshotWorld {
  /// The edit of a row that the app wants.
  private struct Wish {
    /// The wanted values; nil for a delete.
    var values: Fields?
    /// The values that the app saw when it edited: the same fields, or all of a row to delete.
    var seen: Fields

    mutating func forget(_ name: String) {
      values?.values.removeValue(forKey: name)
      seen.values.removeValue(forKey: name)
    }

    func isFulfilled(isGone: Bool) -> Bool { values.map(\.isEmpty) ?? isGone }
  }

  private static let query = Query(
    "Game", where: .isNull("playedAt"), orderedBy: .ascending("title"))

  private let store: any SyncStore
  private let snapshot: Snapshot
  private var generator: SeededGenerator
  private var wishes: [LocalID: Wish] = [:]
  /// The new rows, and those that come back as new ones.
  private var newRows: [LocalID: Fields] = [:]
  /// The values that the app saw of rows that come back.
  private var formerValues: [LocalID: Fields] = [:]
  private var counter = 0
  private(set) var saves = 0
  private(set) var refusals = 0

  init(store: any SyncStore, seed: UInt64) throws {
    self.store = store
    generator = SeededGenerator(seed: seed)
    for number in 0..<6 { _ = try store.importGame("s\(number)", ["title": .string("\(number)")]) }
    snapshot = try store.snapshot(of: Self.query)
  }

  mutating func run(steps: Int) throws {
    for _ in 0..<steps {
      switch Int.random(in: 0..<10, using: &generator) {
      case 0..<3: try disturb()
      case 3..<7: try edit()
      case 7, 8: try merge()
      default: try save()
      }
    }
    try merge()
    for conflict in snapshot.conflicts { resolve(conflict) }
    try save()
    #expect(!snapshot.hasUnsavedEdits && snapshot.conflicts.isEmpty)
  }

  private mutating func newValue() -> Value {
    counter += 1
    return .string("v\(Int.random(in: 0..<10, using: &generator))-\(counter)")
  }

  private func table() throws -> [LocalID: Fields] {
    let rows = try store.read { try $0.records(of: "Game") }
    return Dictionary(rows.map { ($0.localID, $0.fields) }, uniquingKeysWith: { first, _ in first })
  }

  // MARK: what others do

  private mutating func disturb() throws {
    let shown = snapshot.rows
    let rows = try store.read { try $0.records(of: "Game") }
    guard let row = rows.randomElement(using: &generator) else { return }
    var fields: Fields = ["title": newValue()]
    if Int.random(in: 0..<4, using: &generator) == 0 { fields["playedAt"] = .date(.now) }
    // At times they want what the app wants.
    if Int.random(in: 0..<4, using: &generator) == 0, let wish = wishes[row.localID]?.values {
      fields = wish
    }
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: try store.write { try $0.delete(row.reference) }
    case 1: try store.undo()
    case 2: try store.write { try $0.insert("Game", fields) }
    case 3, 4: try store.write { try $0.update(row.reference, fields) }
    case 5:
      try store.fold()
      try store.sync(.full) { try $0.remove([row.localID], from: "Game") }
    default: try store.sync(.full) { try $0.set(fields, of: "Game", localID: row.localID) }
    }
    #expect(snapshot.rows == shown, "others changed what the app shows")
  }

  // MARK: what the app does

  private mutating func edit() throws {
    let row = snapshot.rows.randomElement(using: &generator)
    switch (Int.random(in: 0..<8, using: &generator), row) {
    case (0, _):
      let fields: Fields = ["title": newValue()]
      newRows[try snapshot.insert(fields)] = fields
    case (1, let row?):
      snapshot.revert(row.localID)
      (wishes[row.localID], newRows[row.localID]) = (nil, nil)
    case (2, let row?):
      try snapshot.delete(row.localID)
      guard newRows.removeValue(forKey: row.localID) == nil else { break }
      let seen = row.fields.merging(wishes[row.localID]?.seen ?? [:])
      wishes[row.localID] = Wish(values: nil, seen: seen)
    case (_, let row?):
      let name = Bool.random(using: &generator) ? "title" : "details"
      let value = newValue()
      let fields = [name: name == "title" ? value : ["n": value]] as Fields
      try snapshot.update(row.localID, fields)
      if let known = newRows[row.localID] { return newRows[row.localID] = known.merging(fields) }
      var wish = wishes[row.localID] ?? Wish(values: [:], seen: [:])
      if wish.values?[name] == nil { wish.seen[name] = row[name] }
      wish.values?[name] = fields[name]
      wishes[row.localID] = wish
    case (_, nil): break
    }
  }

  /// A row that the app wants back as a new one may be back by itself.
  private mutating func findReturnedRows(in table: [LocalID: Fields]) {
    for (id, fields) in newRows where table[id] != nil {
      wishes[id] = Wish(values: fields, seen: formerValues[id] ?? [:])
      newRows[id] = nil
    }
  }

  /// Forgets wishes that the table fulfils already.
  private mutating func forgetFulfilledWishes(in table: [LocalID: Fields]) {
    for (id, var wish) in wishes {
      let row = table[id]
      if let values = wish.values, let row {
        for (name, value) in values.values where (row[name] ?? .null) == value {
          wish.forget(name)
        }
      }
      wishes[id] = wish.isFulfilled(isGone: row == nil) ? nil : wish
    }
  }

  /// Whether a save would overwrite a value that the app has not seen.
  private func isBlind(_ wish: Wish, over row: Fields?) -> Bool {
    guard let values = wish.values else {
      return row.map { !wish.seen.difference(from: $0).isEmpty } ?? false
    }
    guard let row else { return true }
    return values.values.contains { name, value in
      let stored = row[name] ?? .null
      return stored != value && stored != (wish.seen[name] ?? .null)
    }
  }

  private mutating func merge() throws {
    let before = snapshot.rows
    let difference = try snapshot.merge()
    let after = snapshot.rows
    #expect(difference.applied(to: before, taking: after) == after)
    let table = try table()
    findReturnedRows(in: table)
    forgetFulfilledWishes(in: table)
    let shown = try store.read { try $0.records(Self.query) }.compactMap { row -> Fields? in
      guard let wish = wishes[row.localID] else { return row.fields }
      return wish.values.map { row.fields.merging($0).withoutNulls }
    }
    #expect(after.prefix(shown.count).map(\.fields.withoutNulls) == shown.map(\.withoutNulls))
    let listed = Set(after.prefix(shown.count).map(\.localID))
    let others = wishes.filter { $1.values != nil }.map(\.key) + newRows.keys
    #expect(Set(after.dropFirst(shown.count).map(\.localID)) == Set(others).subtracting(listed))
    #expect(Set(snapshot.conflicts.map(\.row.localID)) == blindWishes(over: table))
  }

  private func blindWishes(over table: [LocalID: Fields]) -> Set<LocalID> {
    Set(wishes.filter { isBlind($1, over: table[$0]) }.keys)
  }

  private mutating func save() throws {
    let before = try table()
    findReturnedRows(in: before)
    let mustRefuse = !blindWishes(over: before).isEmpty
    let shown = snapshot.rows.map(\.fields.withoutNulls)
    do {
      let names = try snapshot.save()
      #expect(!mustRefuse, "a save has overwritten a value that the app had not seen")
      #expect(snapshot.rows.map(\.fields.withoutNulls) == shown)
      try checkTable(from: before, names)
      (wishes, newRows) = ([:], [:])
      saves += 1
    } catch let error as StoreError where error.code == .snapshotConflict {
      #expect(mustRefuse, "a save was refused without a reason")
      #expect(try table() == before)
      refusals += 1
      for conflict in snapshot.conflicts where Bool.random(using: &generator) { resolve(conflict) }
    }
  }

  private func checkTable(
    from before: [LocalID: Fields], _ names: [LocalID: RecordReference]
  ) throws {
    var expected = before
    for (id, wish) in wishes {
      expected[id] = wish.values.map { (before[id] ?? [:]).merging($0) }
    }
    let after = try table()
    for (id, fields) in newRows {
      let name = try #require(names[id])
      expected[name.localID] = after[name.localID]
      for (field, value) in fields.values {
        #expect((after[name.localID]?[field] ?? .null) == value)
      }
    }
    #expect(after.mapValues(\.withoutNulls) == expected.mapValues(\.withoutNulls))
  }

  private mutating func resolve(_ conflict: SnapshotConflict) {
    let id = conflict.row.localID
    let side: SnapshotConflict.Side = Bool.random(using: &generator) ? .edit : .stored
    #expect(snapshot.resolve(conflict, keeping: side))
    switch (side, conflict.field) {
    case (.edit, let field?): wishes[id]?.seen[field] = conflict.stored?[field]
    case (.edit, nil) where conflict.edited == nil:
      let seen = wishes[id]?.seen ?? [:]
      wishes[id]?.seen = seen.merging(conflict.stored ?? [:])
    case (.edit, nil):
      (newRows[id], formerValues[id]) = (conflict.edited, conflict.seen)
      wishes[id] = nil
    case (.stored, let field?):
      wishes[id]?.forget(field)
      if wishes[id]?.values?.isEmpty == true { wishes[id] = nil }
    case (.stored, nil): wishes[id] = nil
    }
  }
}

extension Fields {
  /// The fields that have a value.
  fileprivate var withoutNulls: Fields { Fields(values.filter { !$1.isNull }) }
}

extension StoreConformance {
  static let snapshotWorlds: [StoreCheck] = [
    StoreCheck(making: "random snapshots overwrite only values that the app has seen") { make in
      var (saves, refusals) = (0, 0)
      for seed in 1...40 {
        let world = try await run(seed: UInt64(seed), in: try make(schema))
        saves += world.saves
        refusals += world.refusals
      }
      #expect(saves > 100 && refusals > 50, "\(saves) saves, \(refusals) refusals")
    }
  ]

  @MainActor
  private static func run(seed: UInt64, in store: any SyncStore) throws -> SnapshotWorld {
    var world = try SnapshotWorld(store: store, seed: seed)
    try world.run(steps: 60)
    return world
  }
}
