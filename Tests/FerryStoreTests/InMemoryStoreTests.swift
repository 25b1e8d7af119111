// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import FerryTestSupport
import Randomness
import Testing

/// The reference store keeps the promises of the port.
@Suite(.timeLimit(.minutes(5)))
struct InMemoryStoreTests {
  @Test(arguments: StoreConformance.allChecks)
  func `the in-memory store passes each conformance check`(_ check: StoreCheck) async throws {
    try await check.run { try InMemoryStore(schema: $0) }
  }

  @Test func `the same generator makes the same ids`() throws {
    func ids() throws -> [String] {
      let store = try InMemoryStore(
        schema: StoreConformance.schema, generator: SeededGenerator(seed: 1), now: { .earliest })
      return try store.write { transaction in
        try (0..<3).map { _ in try transaction.insert("Game", [:]).objectID }
      }
    }
    #expect(try ids() == ids())
    #expect(Set(try ids()).count == 3)
  }

  /// Makes ten thousand rows in one transaction each; no transaction may cost as much as the whole.
  @Test func `many small transactions fold quickly`() throws {
    let store = try InMemoryStore(schema: StoreConformance.schema)
    for number in 0..<10_000 {
      _ = try store.write { try $0.insert("League", ["name": .string("\(number)")]) }
    }
    #expect(try store.read { try $0.count(of: "League") } == 10_000)
    try store.sync(.full) { try $0.fold() }
    #expect(try store.syncRead { try $0.outbox(of: nil) }.count == 10_000)
  }
}
