// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryBackend
import FerryStore
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

/// Rows that come into the store, or leave it, without a question of the store that asks the server.
@Suite(.timeLimit(.minutes(3))) struct LostRowsTests {
  private static let schema = Schema {
    Entity("Album") {
      Field("title", .text)
      Field("cover", .pointer(to: "Photo"))
    }
    Entity("Photo") {
      Field("title", .text)
      Field("score", .integer)
    }
    .onDemand()
  }

  private let world: SyncWorld
  private let device: Device

  init() throws {
    world = try SyncWorld()
    device = try world.device(schema: Self.schema)
  }

  private func backend(size: Int = 1000) -> BackendStore {
    BackendStore(store: device.store, coordinator: device.coordinator, size: size)
  }

  private func score(_ score: Int64) -> Query {
    Query("Photo", where: .field("score", .equal, .integer(score)))
  }

  private func references(_ query: Query = Query("Photo")) async throws -> [RecordReference] {
    try await device.store.read { try $0.references(query) }
  }

  // MARK: Rows that leave

  @Test func `after an eviction by the app, the server is asked`() async throws {
    try world.server.create("Photo", (0..<3).map { _ in ["score": 1] })
    let backend = backend()
    #expect(try await backend.count(score(1)).value == 3)
    #expect(try await backend.count(score(1)).origin == .store)
    try await device.coordinator.evict([try #require(try await references().first)])
    let local = try await backend.count(score(1), freshness: .local)
    #expect(local.value == 2 && !local.isComplete)
    world.network.setFault { _ in .requestLost }
    let offline = try await backend.count(score(1))
    #expect(offline.value == 2 && !offline.isComplete && offline.failure != nil)
    world.network.setFault(nil)
    let answer = try await backend.count(score(1), freshness: .always)
    #expect(answer.value == 3 && answer.isComplete && answer.origin == .server)
    #expect(try await backend.count(score(1)).origin == .store)
  }

  @Test func `after an eviction by another store, the server is asked`() async throws {
    try world.server.create("Photo", [1, 1, 2, 2].map { ["score": .number($0)] })
    let (first, second) = (backend(), backend(size: 2))
    #expect(try await first.count(score(1)).value == 2)
    #expect(try await second.count(score(2)).value == 2)
    let answer = try await first.count(score(1))
    #expect(answer.value == 2 && answer.origin == .server && answer.isComplete)
  }

  @Test func `a delete by the app asks nothing, and leaves the answer complete`() async throws {
    try world.server.create("Photo", [["score": 1], ["score": 1]])
    let backend = backend()
    _ = try await backend.count(score(1))
    let row = try #require(try await references().first)
    try await device.store.write { try $0.delete(row) }
    for _ in 0..<2 {
      let answer = try await backend.count(score(1))
      #expect(answer.value == 1 && answer.origin == .store && answer.isComplete)
    }
    _ = try await backend.count(score(1), freshness: .always)
    try await device.sync()
    let answer = try await backend.count(score(1))
    #expect(answer.value == 1 && answer.origin == .store && answer.isComplete)
  }

  // MARK: Rows that come

  @Test func `a row that the app made, or fetched, counts in the size`() async throws {
    try world.server.create("Photo", [1, 1, 2, 3].map { ["score": .number($0)] })
    let backend = backend(size: 2)
    _ = try await backend.count(score(1))
    try await device.store.write { _ = try $0.insert("Photo", ["score": 5]) }
    _ = try await device.coordinator.fetch(score(3))
    // The new row is not on the server, and stays.
    _ = try await backend.count(score(1), freshness: .always)
    #expect(try await scores() == [1, 1, 5])
    try await device.sync()
    try await device.sync()
    _ = try await backend.count(score(1), freshness: .always)
    #expect(try await scores() == [1, 1])
    #expect(try world.server.count(of: "Photo") == 5)
  }

  private func scores() async throws -> [Value] {
    try await device.store.read {
      try $0.records(Query("Photo", orderedBy: .ascending("score"))).map { $0["score"] }
    }
  }

  // MARK: Rows behind pointers

  @Test func `of a class that syncs list, the rows behind the answer's pointers come`() async throws
  {
    let covers = try world.server.create(
      "Photo", (0..<5).map { ["title": .string("c\($0)")] })
    try world.server.create(
      "Album",
      covers.enumerated().map { number, id in
        [
          "title": .string("a\(number)"),
          "cover": ["__type": "Pointer", "className": "Photo", "objectId": .string(id)],
        ]
      })
    try await device.sync()
    let backend = backend()
    let albums = Query("Album", orderedBy: .ascending("title"), limit: 1, offset: 1)
    let first = try await backend.values(of: ["title", "cover.title"], in: albums)
    #expect(first.value == [["title": "a1", "cover.title": "c1"]] && first.isComplete)
    #expect(try await references().map(\.objectID) == [covers[1]])
    // A condition or an order needs them all.
    let last = Query("Album", orderedBy: .descending("cover.title"), limit: 1)
    #expect(try await backend.values(of: ["title"], in: last).value == [["title": "a4"]])
    #expect(try await references().count == 5)
  }
}
