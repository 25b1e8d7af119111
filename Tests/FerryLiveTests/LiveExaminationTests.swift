// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryLive
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

/// A look at a server's live queries, on the double and on a real server.
@Suite(.timeLimit(.minutes(2))) struct LiveExaminationTests {
  private func examine(
    _ server: ParseServer, within limit: Duration = .seconds(15)
  ) async -> LiveExamination {
    await LiveExamination.run(
      of: server, schema: Sports.schema, over: WebSocketClient(),
      limits: WebSocketLimits(connectTimeout: limit))
  }

  @Test(arguments: TestServer.Kind.all)
  func `a server that publishes accepts each class`(on kind: TestServer.Kind) async throws {
    let server = try TestServer(kind)
    let findings = await examine(server.known(asMaster: false))
    #expect(findings.accepted == ["Game", "League"])
    #expect(findings.refused.isEmpty && findings.failure == nil)
  }

  @Test(arguments: TestServer.Kind.all)
  func `a server without live queries says so`(on kind: TestServer.Kind) async throws {
    var options = TestServerOptions()
    options.publishedClasses = []
    let server = try TestServer(kind, options)
    let findings = await examine(server.known(asMaster: false))
    #expect(findings.accepted.isEmpty && findings.failure != nil)
  }

  @Test func `a server that nobody runs, and an address without a host, are failures`() async throws
  {
    for text in ["http://127.0.0.1:9/parse", "file:///parse"] {
      let url = try #require(URL(string: text))
      let findings = await examine(ParseServer(url: url, applicationID: "app1"))
      #expect(findings.failure != nil, "\(text)")
    }
  }

  @Test func `a server that never answers ends the look with the limit`() async throws {
    let (listener, port) = try LocalSocket.listen(at: 0)
    defer { close(listener) }
    let url = try #require(URL(string: "http://127.0.0.1:\(port)/parse"))
    let start = ContinuousClock.now
    let findings = await examine(
      ParseServer(url: url, applicationID: "app1"), within: .seconds(1))
    #expect(findings.failure != nil)
    #expect(ContinuousClock.now - start < .seconds(15))
  }
}
