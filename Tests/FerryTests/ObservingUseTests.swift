// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

/// An app shows a list and a badge that stay true, with the public interface alone.
@Suite(.timeLimit(.minutes(1))) struct ObservingUseTests {
  private struct Game: SyncEntity, Equatable {
    var id = LocalID()
    var title: String
    var objectId: String?
  }

  private let folder: TemporaryDirectory
  private let server: LoopbackServer
  private let parse: ParseServer
  private let schema = Schema { Entity("Game") { Field("title", .text) } }

  init() throws {
    server = try LoopbackServer()
    folder = try TemporaryDirectory()
    parse = ParseServer(url: try #require(URL(string: server.url)), applicationID: "app1")
  }

  private func store(inMemory: Bool) throws -> any Store {
    if inMemory { return try InMemoryStore(schema: schema) }
    return try SQLiteStore(at: folder.url.appending(path: "games.sqlite"), schema: schema)
  }

  @Test(arguments: [true, false])
  func `a list and a badge follow the app and its syncs`(inMemory: Bool) async throws {
    let store = try store(inMemory: inMemory)
    let coordinator = SyncCoordinator(
      store: store, server: parse, staging: folder.url.appending(path: "staging"))
    var lists = store.observe(Game.self, orderedBy: .ascending("title")).differences()
      .makeAsyncIterator()
    var badges = store.observe(inspecting: { try $0.pendingChanges().count }).makeAsyncIterator()
    #expect(try await lists.next()?.rows == [])
    #expect(try await badges.next() == 0)

    try await store.write { try $0.insert("Game", ["title": "Mine"]) }
    #expect(try await lists.next()?.rows.map(\.title) == ["Mine"])
    #expect(try await badges.next() == 1)

    try server.withBackend { backend throws(LoopbackError) in
      _ = try backend.create("Game", ["title": "Theirs"])
    }
    _ = try await coordinator.startSync().report
    #expect(try await badges.next() == 0)
    var change = try await lists.next()
    // A slow list may skip the moments between: the row of the server, and the id of its own.
    while change?.rows.count != 2 { change = try await lists.next() }
    #expect(change?.rows.map(\.title) == ["Mine", "Theirs"])
    #expect(change?.difference.inserted == [1])

    let first = try #require(change?.rows.first)
    try await store.write { try $0.delete(first) }
    let last = try await lists.next()
    #expect(last?.rows.map(\.title) == ["Theirs"])
    #expect(last?.difference.removed == [0])
    let query = Query("Game", orderedBy: [.descending("title")], limit: 1)
    var firsts = store.observe(query, as: Game.self).makeAsyncIterator()
    #expect(try await firsts.next()?.map(\.title) == ["Theirs"])
  }
}
