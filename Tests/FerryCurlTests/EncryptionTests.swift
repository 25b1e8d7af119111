// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryCurl
import FerryHTTP
import FerryTestSupport
import Foundation
import Testing

@Suite(.serialized, .timeLimit(.minutes(1)), .enabled(if: EncryptedServer.isAvailable))
struct EncryptionTests {
  private func send(to identity: ServerIdentity) throws -> HTTPResponse {
    let server = try EncryptedServer(identity)
    defer { server.stop() }
    var options = CurlOptions()
    if identity.isAuthorityKnown { options.certificateAuthorities = server.authority }
    let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
    return try CurlTransport(options: options).send(HTTPRequest(.get, url))
  }

  @Test func `a server that proves who it is gets its request`() throws {
    #expect(try send(to: ServerIdentity.good).status == 200)
  }

  @Test(arguments: ServerIdentity.bad)
  func `a server that does not prove who it is gets no byte of it`(identity: ServerIdentity) throws
  {
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
