// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryHTTP
import FerryTestSupport
import Foundation
import Testing

/// The answers to the question whose session this is, which comes first in each sync with a token.
@Suite(.timeLimit(.minutes(5))) struct UserAnswerTests {
  struct Answer: CustomTestStringConvertible {
    var status: Int
    var body: String
    var code: SyncError.Code

    init(_ status: Int, _ body: String, _ code: SyncError.Code) {
      (self.status, self.body, self.code) = (status, body, code)
    }

    var testDescription: String { "\(status) \(body)" }
  }

  @Test(arguments: [
    Answer(500, #"{"code":1,"message":"Internal server error."}"#, .tryAgain),
    Answer(500, "", .tryAgain), Answer(502, "<html>Bad gateway</html>", .tryAgain),
    Answer(504, "", .tryAgain),
    Answer(404, #"{"code":101,"error":"Object not found."}"#, .loginNeeded),
    Answer(400, #"{"code":119,"error":"Permission denied"}"#, .unauthorized),
    Answer(400, #"{"code":141,"error":"beforeFind said no"}"#, .unauthorized),
    Answer(400, #"{"code":105,"error":"bad name"}"#, .unauthorized),
    Answer(400, #"{"code":209,"error":"Invalid session token"}"#, .loginNeeded),
    Answer(400, #"{"code":124,"error":"timeout"}"#, .tryAgain),
    Answer(429, #"{"code":100,"error":"Too many requests."}"#, .tryAgain),
    Answer(403, #"{"error":"unauthorized"}"#, .unauthorized),
    Answer(404, "", .wrongURL),
    Answer(200, "{}", .malformedData), Answer(200, #"{"objectId":""}"#, .malformedData),
    Answer(200, "[]", .malformedData), Answer(200, #"{"objectId":"abc"#, .tryAgain),
    Answer(200, "<html>Log in to this network</html>", .notParseServer),
    Answer(200, "", .notParseServer),
  ])
  func `an unusable answer stops the sync with its reason, and nothing is lost`(
    answer: Answer
  ) async throws {
    let world = try SyncWorld(.double, .init())
    let token = try world.server.signUp("ann").token
    let device = try world.device(
      as: ParseServer(url: world.server.url, applicationID: "app1") { Secret(token) })
    try await device.store.write { db in try db.insert("Game", ["title": "unsent"]) }
    world.network.setFault { request in
      guard request.url.path.hasSuffix("/users/me") else { return nil }
      return .answered(HTTPResponse(status: answer.status, body: Data(answer.body.utf8)))
    }
    do {
      _ = try await device.coordinator.startSync().report
      Issue.record("the sync went on without knowing its user")
    } catch {
      #expect(error.code == answer.code)
      #expect(error.message.contains("othing was"))
    }
    #expect(world.network.exchanges.allSatisfy { $0.path.hasSuffix("/users/me") })
    #expect(try device.pending().count == 1)
    world.network.setFault(nil)
    try await device.sync()
    #expect(try world.server.count(of: "Game") == 1)
  }
}
