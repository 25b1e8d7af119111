// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryHTTP
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

@testable import FerryEngine
@testable import FerryPlanning

@Suite(.timeLimit(.minutes(2))) struct UploadTests {
  @Test(arguments: TestServer.Kind.all, [true, false])
  func `creates arrive once, together with their parents`(
    on kind: TestServer.Kind, customIDs: Bool
  ) async throws {
    let world = try SyncWorld(kind, .init(allowsCustomIDs: customIDs))
    let device = try world.device()
    try await device.store.write { db in
      let league = try db.insert("League", ["name": "Nørd", "level": 2])
      for number in 0..<120 {
        try db.insert("Game", ["title": .string("g\(number)"), "league": .pointer(league)])
      }
    }
    let report = try await device.sync(.only(.postCreated))
    #expect(report.classes["League"]?.created == 1)
    #expect(report.classes["Game"]?.created == 120)
    #expect(report.outcome == .complete)
    let leagues = try world.server.rows(of: "League")
    let games = try world.server.rows(of: "Game")
    #expect(leagues.count == 1)
    #expect(games.count == 120)
    let leagueID = try #require(leagues.keys.first)
    #expect(games.values.allSatisfy { $0["league"]?["objectId"]?.string == leagueID })
    let here = try await device.store.read { try $0.records(of: "Game") }
    #expect(here.allSatisfy { games[$0.objectID] != nil })
    let parent = Value.pointer(Pointer(className: "League", objectID: leagueID))
    #expect(here.allSatisfy { $0["league"] == parent })
    #expect(try device.pending().isEmpty)
    let again = try await device.sync(.only(.postCreated))
    #expect(again.classes["Game"]?.created == 0)
  }

  @Test(arguments: TestServer.Kind.all, [true, false])
  func `records that point at each other in a cycle arrive complete`(
    on kind: TestServer.Kind, customIDs: Bool
  ) async throws {
    let world = try SyncWorld(kind, .init(allowsCustomIDs: customIDs))
    let device = try world.device()
    let (first, second) = try await device.store.write { db in
      let first = try db.insert("Game", ["title": "first"])
      let second = try db.insert("Game", ["title": "second", "previous": .pointer(first)])
      try db.update(first, ["previous": .pointer(second)])
      return (first, second)
    }
    _ = try await device.sync(.only(.postCreated))
    _ = try await device.sync(.only(.putUpdated))
    let games = try world.server.rows(of: "Game")
    #expect(games.count == 2)
    let ids = try await device.store.read { db in
      (
        try db.record(of: "Game", localID: first.localID)?.objectID ?? "",
        try db.record(of: "Game", localID: second.localID)?.objectID ?? ""
      )
    }
    #expect(games[ids.0]?["previous"]?["objectId"]?.string == ids.1)
    #expect(games[ids.1]?["previous"]?["objectId"]?.string == ids.0)
    #expect(try device.pending().isEmpty)
  }

  @Test(arguments: TestServer.Kind.all)
  func `an edit sends only the changed fields`(on kind: TestServer.Kind) async throws {
    let world = try SyncWorld(kind, .init(allowsCustomIDs: true))
    let device = try world.device()
    let game = try await device.store.write { try $0.insert("Game", ["title": "a", "score": 1]) }
    _ = try await device.sync(.only(.postCreated))
    try world.server.update("Game", game.objectID, ["score": 9])
    try await device.store.write { try $0.update(game, ["title": "b"]) }
    // Another client has changed the record since, so the edit waits for the next pull.
    let report = try await device.sync(.only(.putUpdated))
    #expect(report.classes["Game"]?.put == 0)
    #expect(report.classes["Game"]?.waiting == 1)
    #expect(report.notices.map(\.code) == [.waitsForPull])
    #expect(report.outcome == .partial)
    #expect(try world.server.rows(of: "Game")[game.objectID]?["title"]?.string == "a")
    #expect(try device.pending().count == 1)
  }

  @Test(arguments: TestServer.Kind.all)
  func `local deletes arrive on the server`(on kind: TestServer.Kind) async throws {
    let world = try SyncWorld(kind, .init(allowsCustomIDs: true))
    let device = try world.device()
    let games = try await device.store.write { db in
      try (0..<3).map { try db.insert("Game", ["title": .string("\($0)")]) }
    }
    _ = try await device.sync(.only(.postCreated))
    try await device.store.write { try $0.delete(games[1]) }
    let report = try await device.sync(.only(.deleteDeleted))
    #expect(report.classes["Game"]?.deleted == 1)
    #expect(
      try world.server.rows(of: "Game").keys.sorted()
        == [games[0], games[2]].map(\.objectID).sorted())
    #expect(try device.pending().isEmpty)
  }

  @Test(arguments: TestServer.Kind.all, [true, false])
  func `a lost response leaves one record`(on kind: TestServer.Kind, customIDs: Bool) async throws {
    let world = try SyncWorld(kind, .init(allowsCustomIDs: customIDs))
    let device = try world.device()
    _ = try await device.store.write { try $0.insert("Game", ["title": "known"]) }
    _ = try await device.sync(.only(.postCreated))
    try await device.store.write { db in
      for number in 0..<3 { try db.insert("Game", ["title": .string("\(number)")]) }
    }
    world.network.setFault { $0.writes(.post) ? .answerLost : nil }
    let lost = try await device.sync(.only(.postCreated))
    #expect(lost.outcome == .partial)
    #expect(try world.server.rows(of: "Game").count == 4)
    world.network.setFault(nil)
    try await device.store.write { db in
      guard let row = try db.records(of: "Game", where: .field("title", .equal, "1")).first else {
        throw CocoaError(.fileNoSuchFile)
      }
      try db.update(row.reference, ["title": "edited meanwhile"])
    }
    let report = try await device.sync(.only(.postCreated))
    #expect(report.classes["Game"]?.created == 3)
    #expect(try world.server.rows(of: "Game").count == 4)
    _ = try await device.sync(.only(.putUpdated))
    #expect(
      try world.server.rows(of: "Game").values.compactMap { $0["title"]?.string }.sorted()
        == ["0", "2", "edited meanwhile", "known"])
    #expect(try device.pending().filter { $0.state != .confirming }.isEmpty)
  }

  @Test(arguments: TestServer.Kind.all)
  func `one refused record does not stop the others`(on kind: TestServer.Kind) async throws {
    var options = TestServerOptions(allowsCustomIDs: true)
    options.cloudCode = .refusesBadGames
    let world = try SyncWorld(kind, options)
    let device = try world.device()
    let bad = try await device.store.write { db in
      try db.insert("Game", ["title": "good"])
      let bad = try db.insert("Game", ["title": "bad"])
      try db.insert("Game", ["title": "child", "previous": .pointer(bad)])
      try db.insert("Game", ["title": "fine"])
      return bad
    }
    let report = try await device.sync(.only(.postCreated))
    #expect(report.classes["Game"]?.created == 2)
    #expect(report.classes["Game"]?.parked == 1)
    #expect(report.outcome == .partial)
    let pending = try device.pending()
    #expect(pending.count == 2)
    #expect(
      pending.contains { entry in
        entry.state == .blocked(by: .record(Waiting(bad.className, bad.localID, "previous")))
      })
    try await device.store.write { try $0.update(bad, ["title": "better"]) }
    let second = try await device.sync(.only(.postCreated))
    #expect(second.classes["Game"]?.created == 2)
    #expect(second.outcome == .complete)
  }

  @Test(arguments: TestServer.Kind.all)
  func `a server with broken batches receives single requests`(
    on kind: TestServer.Kind
  ) async throws {
    var options = TestServerOptions(allowsCustomIDs: true)
    options.breaksBatches = true
    let world = try SyncWorld(kind, options)
    let device = try world.device()
    try await device.store.write { db in
      for number in 0..<5 { try db.insert("Game", ["title": .string("\(number)")]) }
    }
    let report = try await device.sync(.only(.postCreated))
    #expect(report.classes["Game"]?.created == 5)
    #expect(report.notices.map(\.code) == [.batchUnavailable])
    #expect(try world.server.rows(of: "Game").count == 5)
  }

  @Test(arguments: TestServer.Kind.all)
  func `the engine learns a small batch limit`(on kind: TestServer.Kind) async throws {
    var options = TestServerOptions(allowsCustomIDs: true)
    options.batchLimit = 10
    let world = try SyncWorld(kind, options)
    // Limits do not apply to the master key.
    let device = try world.device(as: world.server.known(asMaster: false))
    try await device.store.write { db in
      for number in 0..<60 { try db.insert("Game", ["title": .string("\(number)")]) }
    }
    let report = try await device.sync(.only(.postCreated))
    #expect(report.classes["Game"]?.created == 60)
    #expect(report.outcome == .complete)
    #expect(try world.server.rows(of: "Game").count == 60)
  }

  /// This refusal does not say when to come back, because no window accepts this number of requests.
  @Test(arguments: TestServer.Kind.all)
  func `a batch larger than the rate limit allows is halved`(on kind: TestServer.Kind) throws {
    let bench = try StageBench(on: kind)
    let refusal = HTTPResponse(
      status: 400, body: Data(#"{"code":100,"error":"Too many requests"}"#.utf8))
    bench.network.setFault { request in
      let writes = String(decoding: request.body, as: UTF8.self).split(separator: "\"method\"")
      return request.isWrite && writes.count > 1 + 10 ? .answered(refusal) : nil
    }
    try bench.store.write { db in
      for number in 0..<60 { try db.insert("Game", ["title": .string("\(number)")]) }
    }
    let report = try bench.run([PostCreatedStage()])
    #expect(report.classes["Game"]?.created == 60)
    #expect(try bench.server.count(of: "Game") == 60)
    #expect(try bench.pending() == [])
  }

  /// A world in which a device has sent a new game.
  private func sentGame(
    on kind: TestServer.Kind, _ environment: SyncEnvironment = .live
  ) async throws -> (world: SyncWorld, device: Device, game: RecordReference) {
    let world = try SyncWorld(kind, .init(allowsCustomIDs: true))
    let device = try world.device(environment: environment)
    let game = try await device.store.write { try $0.insert("Game", ["title": "a"]) }
    _ = try await device.sync(.only(.postCreated))
    return (world, device, game)
  }

  @Test(arguments: TestServer.Kind.all)
  func `a change that always fails is parked after a bounded number of attempts`(
    on kind: TestServer.Kind
  ) async throws {
    let (world, device, game) = try await sentGame(on: kind)
    try await device.store.write { try $0.update(game, ["title": "b"]) }
    let error = HTTPResponse(status: 500, body: Data(#"{"code":1,"message":"no"}"#.utf8))
    world.network.setFault { $0.writes(.put) ? .answered(error) : nil }
    var attempts = 0
    while attempts < 10,
      try device.pending().first?.state == .ready || attempts == 0
        || device.pending().first?.state == .inDoubt
    {
      _ = try await device.sync(.only(.putUpdated))
      attempts += 1
    }
    #expect(attempts == SyncOptions().attemptLimit)
    guard case .parked(let refusal)? = try device.pending().first?.state else {
      Issue.record("It is not parked")
      return
    }
    #expect(refusal.reason == .exhausted)
  }

  @Test(arguments: TestServer.Kind.all)
  func `the watch over a timed-out attempt ends`(on kind: TestServer.Kind) async throws {
    let clock = ManualClock()
    let (world, device, game) = try await sentGame(on: kind, clock.environment)
    try await device.store.write { try $0.update(game, ["title": "b"]) }
    world.network.setFault { $0.writes(.put) ? .answerLost : nil }
    _ = try await device.sync(.only(.putUpdated))
    world.network.setFault(nil)
    for _ in 0..<2 {
      clock.advance(seconds: 200)
      _ = try await device.sync()
    }
    #expect(try device.pending().isEmpty)
    #expect(try world.server.rows(of: "Game")[game.objectID]?["title"]?.string == "b")
  }

  @Test(arguments: TestServer.Kind.all)
  func `a response finds its entry when the app has created the row again`(
    on kind: TestServer.Kind
  ) async throws {
    let (world, device, game) = try await sentGame(on: kind)
    try await device.store.write { try $0.delete(game) }
    let store = device.store
    world.network.setFault { request in
      guard request.writes(.delete) else { return nil }
      try? store.write { _ = try $0.insert("Game", ["title": "b"], objectID: game.objectID) }
      return nil
    }
    _ = try await device.sync(.only(.deleteDeleted))
    world.network.setFault(nil)
    #expect(try world.server.rows(of: "Game").isEmpty)
    #expect(try device.pending().map(\.state) == [.ready])
    _ = try await device.sync(.only(.postCreated))
    #expect(try world.server.rows(of: "Game")[game.objectID]?["title"]?.string == "b")
    #expect(try device.pending().isEmpty)
  }

  @Test func `an unreachable server loses no change`() async throws {
    let gone = try LoopbackServer()
    gone.stop()
    let world = try SyncWorld(TestServer(double: gone))
    let device = try world.device()
    _ = try await device.store.write { try $0.insert("Game", ["title": "a"]) }
    await #expect(throws: SyncError.self) { try await device.sync(.only(.postCreated)) }
    #expect(try device.pending().map(\.state) == [.ready])
  }

  /// Between the check of the version and the write, another client may have changed other fields.
  @Test(arguments: TestServer.Kind.all)
  func `an acknowledged write leaves the version of its row to the next listing`(
    on kind: TestServer.Kind
  ) async throws {
    let world = try SyncWorld(kind)
    let device = try world.device()
    let id = try world.server.create("Game", ["title": "a", "score": 1])
    _ = try await device.sync()
    func row() throws -> Record? { try device.store.read { try $0.records(of: "Game") }.first }
    let before = try #require(try row())
    try await device.store.write { try $0.update(before.reference, ["score": 2]) }
    _ = try await device.sync(.only(.putUpdated))
    #expect(try row()?.version == before.version && device.pending().isEmpty)
    _ = try await device.sync()
    let there = try world.server.row("Game", id)?["updatedAt"]?.string
    #expect(try row()?.version?.rawValue == there && there != before.version?.rawValue)
  }
}

extension Waiting {
  fileprivate init(_ className: String, _ localID: LocalID, _ field: String) {
    self.init(className: className, localID: localID, field: field)
  }
}
