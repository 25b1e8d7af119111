// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryTestSupport
import Randomness
import Testing

@testable import FerryPlanning

/// Laws of folding that hold for all edits, on generated worlds.
@Suite(.timeLimit(.minutes(5)))
struct FoldingLawsTests {
  /// An edit with the same meaning in every copy of a world.
  private enum Edit {
    case insert(Fields)
    case update(row: Int, Fields)
    case delete(row: Int)
    /// A deleted record is inserted again under its object id.
    case bringBack(Int, Fields)
    case replace(row: Int, Fields, keepsLocalID: Bool)
  }

  private static func fields(_ generator: inout SeededGenerator) -> Fields {
    var fields = Fields()
    for name in ["f", "g", "h"] where Bool.random(using: &generator) {
      let number = Int64.random(in: 0..<3, using: &generator)
      fields[name] = number == 0 ? .null : .integer(number)
    }
    return fields
  }

  private static func edit(_ generator: inout SeededGenerator) -> Edit {
    let number = Int.random(in: 0..<100, using: &generator)
    let fields = fields(&generator)
    return switch Int.random(in: 0..<10, using: &generator) {
    case 0: .insert(fields)
    case 1, 2: .delete(row: number)
    case 3, 4: .bringBack(number, fields)
    case 5: .replace(row: number, fields, keepsLocalID: Bool.random(using: &generator))
    default: .update(row: number, fields)
    }
  }

  private static func perform(_ edit: Edit, in world: inout FoldingWorld) {
    let rows = world.rows.keys.sorted()
    func row(_ number: Int) -> LocalID? { rows.isEmpty ? nil : rows[number % rows.count] }
    switch edit {
    case .insert(let fields): world.insertMinted(fields)
    case .update(let number, let fields): if let id = row(number) { world.update(id, fields) }
    case .delete(let number): if let id = row(number) { world.delete(id) }
    case .replace(let number, let fields, let keeps):
      if let id = row(number) { _ = world.replace(id, with: fields, keepingLocalID: keeps) }
    case .bringBack(let number, let fields):
      let gone = world.goneObjectIDs
      if !gone.isEmpty { _ = world.insert(gone[number % gone.count], fields) }
    }
  }

  /// Changes an entry by something other than folding: sending, answers, lost answers, refusals.
  private static func move(_ world: inout FoldingWorld, _ generator: inout SeededGenerator) {
    guard let entry = world.entries.randomElement(using: &generator) else { return }
    let id = entry.localID
    let time = FoldingWorld.createdAt
    let current = world.rows[id]?.fields
    switch (entry.state, Int.random(in: 0..<5, using: &generator)) {
    case (.ready, _): world.send(id)
    case (.sending, 0):
      world.change(id) {
        $0.acknowledge(answer: [:], version: nil, createdAt: time, current: current)
      }
    case (.sending, 1): world.change(id) { $0.refuse(Refusal(reason: .refused, message: "")) }
    case (.sending, 2): world.change(id) { $0.postpone() }
    case (.sending, let chance): world.change(id) { $0.lose(timedOut: chance == 3) }
    case (.inDoubt, 0), (.inDoubt, 1): world.change(id) { $0.resolveAbsent() }
    case (.inDoubt, _):
      world.change(id) {
        $0.resolvePresent(version: nil, createdAt: time, remote: ["f": 1], current: current)
      }
    case (.parked, _), (.blocked, _), (.confirming, _): break
    }
  }

  private static func world(_ generator: inout SeededGenerator) -> FoldingWorld {
    var world = FoldingWorld()
    for number in 0..<3 { _ = world.synced("s\(number)", fields(&generator)) }
    for _ in 0..<Int.random(in: 0..<25, using: &generator) {
      perform(edit(&generator), in: &world)
      world.fold()
      move(&world, &generator)
    }
    world.fold()
    return world
  }

  @Test func `folding all edits together equals folding them one by one`() {
    for seed in UInt64(1)...300 {
      var generator = SeededGenerator(seed: seed)
      var atOnce = Self.world(&generator)
      var bitByBit = atOnce
      for _ in 0..<Int.random(in: 1..<12, using: &generator) {
        let edit = Self.edit(&generator)
        Self.perform(edit, in: &atOnce)
        Self.perform(edit, in: &bitByBit)
        if Bool.random(using: &generator) { bitByBit.fold() }
      }
      atOnce.fold()
      bitByBit.fold()
      #expect(atOnce.rows == bitByBit.rows, "seed \(seed)")
      #expect(
        atOnce.entries.map(\.withoutPace) == bitByBit.entries.map(\.withoutPace), "seed \(seed)")
    }
  }

  @Test func `folding again changes nothing`() {
    for seed in UInt64(1)...60 {
      var generator = SeededGenerator(seed: seed)
      var world = Self.world(&generator)
      let before = world.entries
      #expect(world.outcome == ChangeFolding.Outcome())
      world.fold()
      #expect(world.entries == before)
    }
  }

  @Test func `an objectId has at most one entry, and no entry is empty`() {
    for seed in UInt64(1)...150 {
      var generator = SeededGenerator(seed: seed)
      let world = Self.world(&generator)
      #expect(Set(world.entries.map(\.objectID)).count == world.entries.count, "seed \(seed)")
      for entry in world.entries {
        let row = world.rows[entry.localID]
        #expect((row == nil) == (entry.kind == .delete || entry.kind == .deleteAfterCreate))
        #expect(row == nil || row?.objectID == entry.objectID)
        #expect(entry.state != .sending || entry.hasUnresolvedAttempts)
        #expect(entry.state != .inDoubt || entry.hasUnresolvedAttempts)
        #expect(entry.state != .ready || entry.kind != .deleteAfterCreate, "seed \(seed)")
        if entry.kind == .update && entry.changed.isEmpty {
          #expect(!entry.attempts.isEmpty, "seed \(seed)")
        }
        for name in entry.changed where entry.kind == .update {
          #expect(entry.base[name] != nil, "seed \(seed)")
        }
      }
    }
  }
}

extension FoldingWorld {
  fileprivate mutating func insertMinted(_ fields: Fields) {
    _ = insert("m\(log.count)", fields)
  }

  /// The object ids of rows that were deleted, in a stable order.
  fileprivate var goneObjectIDs: [String] {
    let present = Set(rows.values.map(\.objectID))
    let gone = log.compactMap { row -> String? in
      if case .delete(let old) = row.kind { old.objectID } else { nil }
    }
    return Set(gone).subtracting(present).sorted()
  }
}

extension OutboxEntry {
  /// The entry without what an intermediate entry forgets when it vanishes.
  fileprivate var withoutPace: OutboxEntry {
    var entry = self
    entry.failures = FailureStreak()
    entry.acknowledgedVersion = nil
    return entry
  }
}
