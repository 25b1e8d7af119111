// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryHTTP
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

/// The answers to the request that proves the master key; it comes first in each run with one.
@Suite(.timeLimit(.minutes(5))) struct MasterKeyAnswerTests {
  struct Answer: CustomTestStringConvertible {
    var fault: TestNetwork.Fault
    var code: SyncError.Code
    var testDescription: String

    init(_ fault: TestNetwork.Fault, _ code: SyncError.Code, _ description: String) {
      (self.fault, self.code, testDescription) = (fault, code, description)
    }

    init(_ status: Int, _ body: String, _ code: SyncError.Code) {
      self.init(
        .answered(HTTPResponse(status: status, body: Data(body.utf8))), code, "\(status) \(body)")
    }
  }

  @Test(arguments: [
    Answer(403, #"{"error":"Permission denied"}"#, .unauthorized),
    Answer(403, #"{"error":"unauthorized"}"#, .unauthorized),
    Answer(403, #"{"code":119,"error":"Permission denied"}"#, .unauthorized),
    Answer(500, #"{"code":1,"message":"Internal server error."}"#, .tryAgain),
    Answer(500, "", .tryAgain), Answer(502, "<html>Bad gateway</html>", .tryAgain),
    Answer(429, #"{"code":100,"error":"Too many requests."}"#, .tryAgain),
    Answer(404, "", .wrongURL), Answer(200, "{}", .malformedData),
    Answer(200, "<html>Log in to this network</html>", .notParseServer),
    Answer(.answerCut(3), .tryAgain, "an answer that is cut"),
    Answer(.answerLost, .tryAgain, "an answer that is lost"),
  ])
  func `an answer that does not prove the master key ends the sync before any change`(
    answer: Answer
  ) async throws {
    let world = try SyncWorld()
    let device = try world.device()
    try await device.store.write { db in try db.insert("Game", ["title": "unsent"]) }
    world.network.setFault { $0.path == "/serverInfo" ? answer.fault : nil }
    do {
      _ = try await device.coordinator.startSync().report
      Issue.record("the sync went on without a proven master key")
    } catch {
      #expect(error.code == answer.code)
      // A lost answer is told in the transport's words.
      #expect(error.message.contains("othing was") || error.cause is HTTPError)
    }
    #expect(world.network.exchanges.allSatisfy { $0.path == "/serverInfo" })
    #expect(try device.pending().count == 1)
    world.network.setFault(nil)
    try await device.sync()
    #expect(try world.server.count(of: "Game") == 1)
  }

  @Test(arguments: TestServer.Kind.all)
  func `a wrong master key removes no row that only the master sees`(
    on kind: TestServer.Kind
  ) async throws {
    let world = try SyncWorld(kind)
    try world.server.create("Game", ["title": "hidden", "ACL": .object([:])])
    let device = try world.device()
    try await device.sync()
    try await device.store.write { db in
      for game in try db.records(of: "Game") { try db.update(game.reference, ["title": "edited"]) }
    }
    let before = try device.pending()
    #expect(before.count == 1)
    let impostor = try world.device(
      as: ParseServer(url: world.server.url, applicationID: "app1", key: .master("wrong")))
    let runs: [(String, () async throws -> Void)] = [
      ("sync", { try await impostor.sync() }),
      ("plan", { _ = try await impostor.coordinator.plan() }),
      ("verify", { _ = try await impostor.coordinator.plan(comparing: .everything) }),
    ]
    for (name, run) in runs {
      world.network.forget()
      await #expect("\(name)") {
        try await run()
      } throws: { error in
        let error = error as? SyncError
        return error?.code == .unauthorized && error?.message.contains("master key") == true
      }
      #expect(world.network.exchanges.map(\.path) == ["/serverInfo"])
    }
    #expect(try device.pending() == before)
    #expect(try await device.store.read { try $0.count(of: "Game") } == 1)
    try await device.sync()
    let titles = try world.server.rows(of: "Game").values.map { $0["title"]?.string }
    #expect(titles == ["edited"])
  }

  @Test func `a run without the master key asks for no proof`() async throws {
    let world = try SyncWorld()
    try await world.device(as: world.server.known(asMaster: false)).sync()
    #expect(!world.network.exchanges.contains { $0.path == "/serverInfo" })
    world.network.forget()
    try await world.device("b").sync()
    #expect(world.network.exchanges.count { $0.path == "/serverInfo" } == 1)
    #expect(world.network.exchanges.first?.path == "/serverInfo")
  }
}
