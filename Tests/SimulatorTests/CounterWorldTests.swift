// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Foundation
import Testing

@testable import FerrySimulator

/// Worlds of numbers and sets: the first ones, and those that found faults.
@Suite(.timeLimit(.minutes(5)))
struct CounterWorldTests {
  static let seeds = [
    259, 299, 331, 337, 424, 486, 514, 300_401_896, 300_404_704,
  ].map { 2_000_000_000 + UInt64($0) }

  @Test(arguments: (0..<12).map { 2_000_000_000 + $0 } + seeds)
  func `every sum is exact`(seed: UInt64) throws {
    let folder = Simulation.standardFolder.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let world = try CounterWorld(seed: seed, in: folder)
    let violation = world.play()
    #expect(violation == nil, "seed \(seed): \(violation?.message ?? "")")
  }

  @Test func `a lost and a doubled addition are seen`() {
    var ledger = CounterLedger()
    ledger.add(2, to: "count", of: "r1", by: 0)
    let entity = CounterWorldTests.entity
    #expect(ledger.check(["count": 2], of: "r1", entity) == nil)
    #expect(ledger.check(["count": 1], of: "r1", entity)?.rule == .lostWrite)
    #expect(ledger.check(["count": 4], of: "r1", entity)?.rule == .lostWrite)
    ledger.note(added: [1], removed: [], to: "tags", of: "r1", by: 0)
    #expect(ledger.check(["count": 2], of: "r1", entity)?.rule == .lostWrite)
    ledger.note(added: [], removed: [1], to: "tags", of: "r1", by: 0)
    #expect(ledger.check(["count": 2, "tags": [1]], of: "r1", entity)?.rule == .lostWrite)
  }

  private static let entity = Entity(
    "Counter",
    fields: [
      Field("count", .integer, merge: .increment), Field("tags", .array, merge: .set),
    ])
}
