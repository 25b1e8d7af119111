// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryModel
import FerryStore
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

@testable import FerryEngine
@testable import FerryPlanning

/// Classes of which a device keeps only some records.
@Suite(.timeLimit(.minutes(3))) struct FilterTests {
  private static let unfiltered = Schema(
    Sports.schema.entities.map { entity in
      entity.name == "Game"
        ? Entity("Game", fields: entity.fields + [Field("isRemoved", .boolean)]) : entity
    })

  private static func schema(
    _ filter: Condition, _ strategy: DeletionStrategy = .counting
  ) -> Schema {
    Schema(
      unfiltered.entities.map { entity in
        entity.name == "Game" ? entity.deletions(strategy).filter(filter) : entity
      })
  }

  private static let scores = schema(.field("score", .greaterThanOrEqual, 10))

  private func bench(
    _ place: StageBench.Place, _ schema: Schema = scores, scores: [Int] = [0, 5, 10, 15, 20]
  ) throws -> (StageBench, [String]) {
    let bench = try StageBench(place, schema: schema)
    let ids = try scores.map {
      try bench.create("Game", ["title": .string("g\($0)"), "score": .number(Double($0))])
    }
    return (bench, ids)
  }

  private func ids(_ bench: StageBench) throws -> Set<String> { try Set(bench.games().keys) }

  @Test(arguments: StageBench.Place.all)
  func `only records that match the filter arrive`(_ place: StageBench.Place) throws {
    let (bench, ids) = try bench(place)
    let report = try bench.pull()
    #expect(report.classes["Game"]?.imported == 3)
    #expect(try self.ids(bench) == Set(ids[2...]))
    bench.network.forget()
    #expect(try bench.pull().classes["Game"]?.imported == 0)
    // The comparison ends; it does not search the records outside the filter.
    #expect(bench.network.exchanges.count == 2)
  }

  @Test(
    arguments: StageBench.Place.all,
    [DeletionStrategy.counting, .fullScan, .softDelete(field: "isRemoved")])
  func `a record that leaves the filter is evicted`(
    _ place: StageBench.Place, _ strategy: DeletionStrategy
  ) throws {
    let (bench, ids) = try bench(
      place, Self.schema(.field("score", .greaterThanOrEqual, 10), strategy))
    try bench.pull()
    let row = try #require(try bench.game(ids[3]))
    try bench.update("Game", ids[3], ["score": 1])
    let report = try bench.pull()
    #expect(report.classes["Game"]?.evicted == 1 && report.classes["Game"]?.removed == 0)
    #expect(try self.ids(bench) == [ids[2], ids[4]])
    // The record is on the server, so nothing is lost and nothing is sent.
    #expect(try bench.conflicts().isEmpty && bench.pending().isEmpty)
    // In the filter again, the record has the same row.
    try bench.update("Game", ids[3], ["score": 30])
    try bench.pull()
    #expect(try bench.game(ids[3])?.localID == row.localID)
  }

  @Test(arguments: StageBench.Place.all)
  func `evictions do not trigger the removal guard`(_ place: StageBench.Place) throws {
    let (bench, ids) = try bench(place, scores: Array(10..<60))
    try bench.pull()
    for id in ids { try bench.update("Game", id, ["score": 1]) }
    let report = try bench.pull()
    #expect(report.classes["Game"]?.evicted == 50 && report.guarded.isEmpty)
    #expect(try bench.games().isEmpty)
  }

  @Test(arguments: StageBench.Place.all)
  func `a record deleted on the server is removed from a filtered class`(
    _ place: StageBench.Place
  ) throws {
    let (bench, ids) = try bench(place)
    try bench.pull()
    try bench.update("Game", ids[2], ["score": 1])
    try bench.delete("Game", [ids[0], ids[4]])
    let report = try bench.pull()
    #expect(report.classes["Game"]?.evicted == 1 && report.classes["Game"]?.removed == 1)
    #expect(try self.ids(bench) == [ids[3]])
    #expect(try bench.conflicts().map(\.reason) == [.removed])
  }

  @Test(arguments: StageBench.Place.all)
  func `a row with unsent edits is not evicted until they are sent`(
    _ place: StageBench.Place
  ) throws {
    let (bench, ids) = try bench(place)
    try bench.pull()
    try bench.update("Game", ids[3], ["score": 1])
    try bench.edit(ids[3], ["title": "edited"])
    try bench.pull()
    #expect(try bench.game(ids[3])?["title"] == "edited")
    // The row was kept on purpose, so the next sync does not search for a difference.
    bench.network.forget()
    try bench.pull()
    #expect(bench.network.exchanges.count == 2)
    #expect(try bench.sync().classes["Game"]?.put == 1)
    let there = try bench.server.rows(of: "Game").values.first { $0["title"] == "edited" }
    #expect(there?["score"] == 1)
    #expect(try bench.pull().classes["Game"]?.evicted == 1)
    #expect(try bench.game(ids[3]) == nil && bench.pending().isEmpty)
  }

  @Test(arguments: StageBench.Place.all)
  func `a row created outside the filter is sent and then evicted`(
    _ place: StageBench.Place
  ) throws {
    let (bench, _) = try bench(place)
    try bench.pull()
    try bench.store.write { try $0.insert("Game", ["title": "new", "score": 3]) }
    #expect(try bench.sync().classes["Game"]?.created == 1)
    #expect(try bench.games().count == 4)
    #expect(try bench.sync().classes["Game"]?.evicted == 1)
    #expect(try bench.games().count == 3 && bench.server.count(of: "Game") == 6)
  }

  @Test(arguments: TestServer.Kind.all)
  func `a changed filter downloads the class afresh`(on kind: TestServer.Kind) throws {
    let folder = try TemporaryDirectory()
    let server = try TestServer(kind)
    let first = try StageBench(in: folder, schema: Self.scores, server: server)
    let ids = try [5, 10, 20].map { try first.create("Game", ["score": .number(Double($0))]) }
    try first.pull()
    #expect(try self.ids(first) == Set(ids[1...]))
    try first.edit(ids[2], ["title": "edited"])
    let second = try StageBench(
      in: folder, schema: Self.schema(.field("score", .lessThan, 10)), server: server)
    let report = try second.pull()
    #expect(report.classes["Game"]?.evicted == 1 && report.classes["Game"]?.imported == 1)
    #expect(try self.ids(second) == [ids[0], ids[2]])
    try second.sync()
    try second.sync()
    #expect(try self.ids(second) == [ids[0]])
    #expect(try second.server.rows(of: "Game").values.contains { $0["title"] == "edited" })
    // Without a filter, all records return.
    let third = try StageBench(in: folder, schema: Self.unfiltered, server: server)
    try third.pull()
    #expect(try self.ids(third) == Set(ids))
  }

  @Test(arguments: StageBench.Place.all)
  func `a quarantined record that leaves the filter is forgotten`(
    _ place: StageBench.Place
  ) throws {
    let (bench, _) = try bench(place)
    let id = try bench.create("Game", ["score": 50.5])
    try bench.pull()
    #expect(try bench.store.read { try $0.quarantine(of: "Game") }.map(\.objectID) == [id])
    try bench.update("Game", id, ["score": 0.5])
    try bench.pull()
    #expect(try bench.store.read { try $0.quarantine(of: "Game") }.isEmpty)
    bench.network.forget()
    try bench.pull()
    #expect(bench.network.exchanges.count == 2)
  }

  @Test(arguments: TestServer.Kind.all)
  func `a plan shows evictions`(on kind: TestServer.Kind) async throws {
    let world = try SyncWorld(kind)
    let device = try world.device(schema: Self.scores)
    let id = try world.server.create("Game", ["score": 10])
    try await device.sync()
    try world.server.update("Game", id, ["score": 1])
    let plan = try await device.coordinator.plan()
    #expect(plan.actions.map(\.kind) == [.evict] && plan.actions.first?.objectID == id)
    #expect(try await device.store.read { try $0.count(of: "Game") } == 1)
    #expect(try await device.sync().classes["Game"]?.evicted == 1)
  }
}
