// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryCurl
import FerryHTTP
import FerryTestSupport
import Foundation
import Testing

/// A server with a valid or an invalid identity.
struct Identity: Sendable, CustomTestStringConvertible {
  let testDescription: String
  var names = "IP:127.0.0.1"
  var days = "1"
  var options: [String] = []
  var isAuthorityKnown = true

  static let bad: [Identity] = [
    Identity(testDescription: "signed by nobody we know", isAuthorityKnown: false),
    Identity(testDescription: "of another host", names: "DNS:parse.example.com"),
    Identity(testDescription: "expired", days: "-1"),
    Identity(
      testDescription: "with the encryption of 2006",
      options: ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"]),
  ]
}

@Suite(.serialized, .timeLimit(.minutes(1)), .enabled(if: EncryptedServer.isAvailable))
struct EncryptionTests {
  private func send(to identity: Identity) throws -> HTTPResponse {
    let server = try EncryptedServer(identity)
    defer { server.stop() }
    var options = CurlOptions()
    if identity.isAuthorityKnown { options.certificateAuthorities = server.authority }
    let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
    return try CurlTransport(options: options).send(HTTPRequest(.get, url))
  }

  @Test func `a server that proves who it is gets its request`() throws {
    #expect(try send(to: Identity(testDescription: "good")).status == 200)
  }

  @Test(arguments: Identity.bad)
  func `a server that does not prove who it is gets no byte of it`(identity: Identity) throws {
    let error = #expect(throws: HTTPError.self) { try send(to: identity) }
    #expect(error?.code == .tls)
    #expect(error?.outcome == .notSent)
    #expect(error?.message.contains("This request was not sent.") == true)
  }

  @Test func `a server that does not encrypt gets no byte of it`() throws {
    try withServer { connection in
      connection.answer(400)
      connection.stall()
    } _: { server in
      let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
      let error = #expect(throws: HTTPError.self) {
        try CurlTransport().send(HTTPRequest(.get, url))
      }
      #expect(error?.code == .tls)
      #expect(error?.outcome == .notSent)
      #expect(server.requests.isEmpty)
    }
  }
}
