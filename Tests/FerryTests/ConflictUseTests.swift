// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

/// An app shows what syncs overwrote or held back, with the public interface alone.
@Suite(.timeLimit(.minutes(1))) struct ConflictUseTests {
  private let folder: TemporaryDirectory
  private let server: LoopbackServer
  private let parse: ParseServer
  private let schema = Schema { Entity("Game") { Field("title", .text) } }

  init() throws {
    var configuration = LoopbackConfiguration()
    configuration.applicationId = "demo"
    server = try LoopbackServer(configuration)
    folder = try TemporaryDirectory()
    parse = ParseServer(
      url: try #require(URL(string: server.url)), applicationID: "demo",
      key: .master(configuration.masterKey))
  }

  private func store(inMemory: Bool) throws -> any Store {
    if inMemory { return try InMemoryStore(schema: schema) }
    return try SQLiteStore(at: folder.url.appending(path: "games.sqlite"), schema: schema)
  }

  private func coordinator(_ store: any Store) -> SyncCoordinator {
    SyncCoordinator(
      store: store, server: parse, staging: folder.url.appending(path: "staging"))
  }

  @Test(arguments: [true, false])
  func `an app lists conflict records and restores one`(inMemory: Bool) async throws {
    let store = try store(inMemory: inMemory)
    let game = try await store.write { try $0.insert("Game", ["title": "Final"]) }
    _ = try await coordinator(store).startSync().report
    _ = try await coordinator(store).startSync().report
    let row = try #require(
      try await store.read { try $0.record(of: "Game", localID: game.localID) })
    try await store.write { try $0.update(game, ["title": "Mine"]) }
    try server.withBackend { backend throws(LoopbackError) in
      _ = try backend.update("Game", row.objectID, ["title": "Theirs"])
    }
    let plan = try await coordinator(store).plan()
    #expect(plan.report.conflicts == ["Game": [.remoteWon: 1]])
    #expect(try await store.read { try $0.conflicts() }.isEmpty)
    let report = try await coordinator(store).startSync().report
    #expect(report.conflicts == plan.report.conflicts)
    let conflict = try #require(
      try await store.read { try $0.conflicts(of: "Game", limit: 20) }.first)
    #expect(
      (conflict.reason, conflict.lost, conflict.kept)
        == (.remoteWon, ["title": "Mine"], ["title": "Theirs"]))
    let entity = try #require(store.schema.entity("Game"))
    #expect(conflict.restorableFields(of: entity) == conflict.lost)
    let number = try #require(conflict.id)
    #expect(conflict.run == report.conflictRun && conflict.run == number)
    #expect(try await store.read { try $0.unseenConflictCounts() } == ["Game": 1])
    try await store.write { try $0.restore(conflict: number) }
    #expect(try await store.read { try $0.unseenConflictCounts() }.isEmpty)
    #expect(try await store.read { try $0.conflict(number)?.isRestored } == true)
    let again = try await coordinator(store).startSync().report
    #expect(again.conflicts.isEmpty && again.conflictRun == nil)
    #expect(again.classes["Game"]?.put == 1)
    #expect(server.backend.objects(of: "Game").map { $0["title"]?.string } == ["Mine"])
  }

  @Test(arguments: [true, false])
  func `an app restores all that one run overwrote`(inMemory: Bool) async throws {
    let store = try store(inMemory: inMemory)
    let games = try await store.write { db in
      try (1...3).map { try db.insert("Game", ["title": .string("\($0)")]) }
    }
    _ = try await coordinator(store).startSync().report
    _ = try await coordinator(store).startSync().report
    var runs: [Int64] = []
    for round in 1...2 {
      let rows = try await store.write { db in
        for game in games { try db.update(game, ["title": .string("mine \(round)")]) }
        return try db.records(of: "Game")
      }
      try server.withBackend { backend throws(LoopbackError) in
        for row in rows.prefix(round + 1) {
          _ = try backend.update("Game", row.objectID, ["title": .string("theirs \(round)")])
        }
      }
      let report = try await coordinator(store).startSync().report
      #expect(report.conflicts == ["Game": [.remoteWon: round + 1]])
      runs.append(try #require(report.conflictRun))
    }
    #expect(runs == [1, 3])
    #expect(try await store.read { try $0.unseenConflictCounts() } == ["Game": 5])
    let last = runs[1]
    let restorations = try await store.write { try $0.restoreConflicts(ofRun: last) }
    let restored = try restorations.map { try $0.result.get().localID }
    #expect(restored.sorted() == games.map(\.localID))
    #expect(try await store.read { try $0.unseenConflictCounts() } == ["Game": 2])
    #expect(try await coordinator(store).startSync().report.conflicts.isEmpty)
    let titles = server.backend.objects(of: "Game").map { $0["title"]?.string }
    #expect(titles == Array(repeating: "mine 2", count: 3))
  }

  @Test(arguments: [true, false])
  func `an app lists the deletes that are held back and confirms them`(inMemory: Bool) async throws
  {
    let store = try store(inMemory: inMemory)
    try await store.write { db in
      for number in 1...30 { try db.insert("Game", ["title": .string("\(number)")]) }
    }
    _ = try await coordinator(store).startSync().report
    try await store.write { db in
      for game in try db.records(of: "Game") { try db.delete(game.reference) }
    }
    let report = try await coordinator(store).startSync().report
    #expect((report.classes["Game"]?.held, report.classes["Game"]?.waiting) == (30, 0))
    let held = try await store.inspect { try $0.heldRemovals(of: "Game") }
    #expect(held == report.guarded)
    #expect(
      try await store.inspect { try $0.pendingChanges() }.allSatisfy { $0.state == .heldBack })
    let name = try #require(held.first?.confirmation)
    #expect(GuardedRemoval.className(inConfirmation: name) == "Game")
    for text in ["", "Game", "Game-local-3", name + "0", "Game-both" + name.dropFirst(11)] {
      #expect(GuardedRemoval.className(inConfirmation: text) == nil, "\(text)")
    }
    let run = coordinator(store).startSync(confirming: Set(held.map(\.confirmation)))
    #expect(try await run.report.classes["Game"]?.deleted == 30)
    #expect(server.backend.objects(of: "Game").isEmpty)
  }
}
