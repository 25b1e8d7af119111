// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryTestSupport
import Foundation
import LoopbackParse

/// A server with a few functions of Cloud Code, and an app that calls them.
struct FunctionWorld: Sendable {
  let server: TestServer
  let network = TestNetwork()

  init(_ kind: TestServer.Kind = .double) throws {
    var options = TestServerOptions()
    options.cloudCode = Self.cloudCode
    server = try TestServer(kind, options)
  }

  /// The functions, called in a session of the app.
  func functions(
    timeout: Duration = .seconds(60), token: (@Sendable () async throws -> Secret?)? = nil
  ) -> CloudFunctions {
    var known = server.known(asMaster: false)
    known.sessionToken = token
    return CloudFunctions(server: known, transport: network, timeout: timeout)
  }

  /// The error of a call; nil where it succeeded.
  func error(_ call: (CloudFunctions) async throws(FunctionError) -> Void) async -> FunctionError? {
    do {
      try await call(functions())
      return nil
    } catch {
      return error
    }
  }

  private static let cloudCode = TestCloudCode(
    javaScript: """
      Parse.Cloud.define("echo", ({ params }) => params);
      Parse.Cloud.define("nothing", () => {});
      Parse.Cloud.define("count", ({ params }) => Object.keys(params).length);
      Parse.Cloud.define("refuse", () => { throw new Parse.Error(777, "not today"); });
      Parse.Cloud.define("fail", () => { throw new Error("it failed"); });
      Parse.Cloud.define("game", () => Parse.Object.fromJSON({
        className: "Game", objectId: "g1", title: "Final", playedAt: { __type: "Date", iso: "2024-02-03T04:05:06.789Z" },
        createdAt: "2024-02-03T04:05:06.789Z", updatedAt: "2024-02-03T04:05:06.789Z",
      }));
      """,
    functions: [
      "echo": { $0 },
      "nothing": { _ in nil },
      "count": { .number(Double($0.object?.count ?? 0)) },
      "refuse": { _ in throw LoopbackError(code: 777, message: "not today") },
      "fail": { _ in throw LoopbackError(code: 141, message: "it failed") },
      "game": { _ in
        [
          "__type": "Object", "className": "Game", "objectId": "g1", "title": "Final",
          "playedAt": .date("2024-02-03T04:05:06.789Z"),
          "createdAt": "2024-02-03T04:05:06.789Z", "updatedAt": "2024-02-03T04:05:06.789Z",
        ]
      },
    ])
}
