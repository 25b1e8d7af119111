// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryBackend
import FerryStore
import FerryTestSupport
import Foundation
import Testing

/// A store that asks answers like one that has synced all.
@Suite(.timeLimit(.minutes(10))) struct BackendComparisonTests {
  private static let classes: [Set<String>] = [["Game"], ["Game", "League"], ["League"]]

  @Test(arguments: TestServer.Kind.seeds(16, onReal: 2))
  func `each of four kinds of result is that of a store with all rows`(
    on kind: TestServer.Kind, seed: UInt64
  ) async throws {
    // Every second world has room for few rows.
    let world = try await BackendWorld(
      kind, seed: seed, onDemand: Self.classes[Int(seed % 3)], size: seed % 2 == 0 ? 100_000 : 6)
    var (asked, found) = (0, 0)
    for round in 0..<4 {
      if round > 0 { try await world.changeByOther() }
      try await world.sync()
      if round > 1 { try await world.editBoth() }
      // Edits of the round before meet what the other client did meanwhile.
      for number in 0..<(kind == .double ? 20 : 12) {
        let query = world.query()
        let place: Comment = "seed \(seed), round \(round), query \(number): \(query)"
        found += try await compare(query, in: world, place)
        asked += 1
      }
    }
    #expect(found > asked / 2, "the queries find rows")
    #expect(world.network.requestCount > asked)
  }

  /// Compares all kinds of result of a query; returns how many rows it has.
  private func compare(
    _ query: Query, in world: BackendWorld, _ place: Comment
  ) async throws -> Int {
    let whole = world.whole.store
    let backend = world.backend
    let name = query.className
    let rows = try await whole.read { try $0.records(query) }
    let answer = try await backend.records(query, freshness: .always)
    #expect(answer.failure == nil && answer.isComplete, place)
    #expect(answer.value.map(Row.init) == rows.map(Row.init), place)
    #expect(try await backend.count(query, freshness: .always).value == rows.count, place)
    let fields = world.fields(of: name)
    let values = try await whole.read { try $0.values(of: fields, in: query) }
    #expect(
      try await backend.values(of: fields, in: query, freshness: .always).value == values, place)
    let field = world.orderedField(of: name)
    let distinct = try await whole.read { try $0.distinctValues(of: field, in: query) }
    #expect(
      try await backend.distinctValues(of: field, in: query, freshness: .always).value == distinct,
      place)
    let (aggregates, groups) = world.summaries(of: name)
    let summaries = try await whole.read {
      try $0.summaries(aggregates, of: query, groupedBy: groups)
    }
    let summed = try await backend.summaries(
      aggregates, of: query, groupedBy: groups, freshness: .always)
    #expect(summed.value == summaries, place)
    return rows.count
  }

  /// A row without its number, which differs between devices.
  private struct Row: Equatable {
    var objectID: String
    var fields: Fields
    var createdAt: Timestamp?
    var version: ServerVersion?

    init(_ record: Record) {
      objectID = record.objectID
      fields = record.fields
      createdAt = record.createdAt
      version = record.version
    }
  }
}
