// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryLive
import FerryTestSupport
import Foundation
import Testing

@Suite(.serialized, .timeLimit(.minutes(1)), .enabled(if: EncryptedServer.isAvailable))
struct WebSocketEncryptionTests {
  /// Why a connection to a server ends, which speaks no websocket.
  private func ending(of identity: ServerIdentity) async throws -> String {
    let server = try EncryptedServer(identity)
    defer { server.stop() }
    let client = WebSocketClient(trusting: identity.isAuthorityKnown ? server.authority : nil)
    let url = try #require(URL(string: "wss://127.0.0.1:\(server.port)/"))
    for await event in client.connect(to: url, limits: WebSocketLimits()).events {
      if case .closed(let reason) = event { return reason }
      Issue.record("The server speaks no websocket: \(event)")
    }
    return ""
  }

  @Test func `a server that proves who it is gets the request for a websocket`() async throws {
    let reason = try await ending(of: .good)
    #expect(
      !reason.contains("certificate") && !reason.contains("SSL") && !reason.contains("tls"),
      "\(reason)")
    #expect(reason.contains("101"), "\(reason)")
  }

  @Test(arguments: ServerIdentity.bad)
  func `a server that does not prove who it is gets nothing`(_ identity: ServerIdentity)
    async throws
  {
    let reason = try await ending(of: identity)
    #expect(reason.contains("certificate"))
  }
}
