// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryBackend
import FerryTestSupport
import LoopbackParse
import Testing

/// A limited query has as many rows as a store that has all.
@Suite(.timeLimit(.minutes(3))) struct LimitTests {
  private let world: SyncWorld

  init() throws { world = try SyncWorld() }

  private func backend(
    options: SyncOptions = SyncOptions(), limit: Int = 10_000, marked: Bool = false
  ) throws -> (BackendStore, any Store) {
    let schema = Schema {
      let game = Entity("Game") {
        Field("score", .integer)
        Field("isHidden", .boolean)
      }
      .onDemand()
      marked ? game.deletions(.softDelete(field: "isHidden")) : game
    }
    let device = try world.device("a", schema: schema, options: options)
    let store = BackendStore(store: device.store, coordinator: device.coordinator, limit: limit)
    return (store, device.store)
  }

  private let lowest = Query("Game", orderedBy: .ascending("score"), limit: 2)

  @Test func `records that are marked as deleted take no place`() async throws {
    _ = try world.server.create(
      "Game",
      (1...5).map { ["score": .number(Double($0)), "isHidden": .bool($0 < 3)] })
    let answer = try await backend(marked: true).0.records(lowest)
    #expect(answer.value.map { $0["score"] } == [3, 4] && answer.isComplete)
  }

  @Test func `records that cannot be read take no place`() async throws {
    _ = try world.server.create(
      "Game", [1.5, 2.5, 3, 4, 5].map { ["score": .number($0)] })
    let answer = try await backend().0.records(lowest)
    #expect(answer.value.map { $0["score"] } == [3, 4] && answer.isComplete)
  }

  @Test(arguments: [0, 1]) func `a limit without an end brings all`(offset: Int) async throws {
    let (backend, store) = try backend()
    _ = try world.server.create("Game", (1...3).map { ["score": .number(Double($0))] })
    try await store.write { _ = try $0.insert("Game", ["score": 9]) }
    let query = Query("Game", orderedBy: .ascending("score"), limit: .max, offset: offset)
    let answer = try await backend.records(query)
    #expect(answer.value.count == 4 - offset && answer.isComplete)
  }

  @Test func `a result of as many records as may come is complete`() async throws {
    var options = SyncOptions()
    options.pageSize = 2
    _ = try world.server.create("Game", (1...4).map { ["score": .number(Double($0))] })
    let answer = try await backend(options: options, limit: 4).0.records(Query("Game"))
    #expect(answer.value.count == 4 && answer.isComplete)
  }
}
