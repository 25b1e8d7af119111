// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryCurl
import FerryHTTP
import FerryTestSupport
import Foundation
import Synchronization
import Testing

/// Reuse of connections, and the fate of requests when connections die.
@Suite(.timeLimit(.minutes(1)))
struct ConnectionTests {
  private let transport = CurlTransport()

  @Test func `a thousand requests, in runs of their own, use one connection`() throws {
    try withServer { connection in
      while connection.readRequest() != nil { connection.answer() }
    } _: { server in
      for _ in 0..<1000 { _ = try transport.send(HTTPRequest(.get, server.url)) }
      #expect(server.requests.count == 1000)
      #expect(server.connectionCount == 1)
    }
  }

  @Test func `several threads run at once, each to its end`() throws {
    try withServer { connection in
      while connection.readRequest() != nil { connection.answer() }
    } _: { server in
      let failures = Mutex(0)
      DispatchQueue.concurrentPerform(iterations: 8) { _ in
        for _ in 0..<50 {
          let answers = transport.sendAll(
            [HTTPRequest(.get, server.url), HTTPRequest(.post, server.url)])
          for case .failure in answers { failures.withLock { $0 += 1 } }
        }
      }
      #expect(failures.withLock(\.self) == 0)
      #expect(server.requests.count == 800)
    }
  }

  @Test(arguments: [(bytes: 30 << 20, together: 2), (8 << 20, 8), (100 << 20, 1)])
  func `requests wait until the greatest answers of all in flight fit`(
    bytes: Int, together: Int
  ) throws {
    // A lock that the thread sanitizer knows; it guards both numbers.
    let lock = NSLock()
    nonisolated(unsafe) var (now, most) = (0, 0)
    try withServer { connection in
      while connection.readRequest() != nil {
        lock.withLock { (now, most) = (now + 1, max(most, now + 1)) }
        Thread.sleep(forTimeInterval: 0.2)
        lock.withLock { now -= 1 }
        connection.answer()
      }
    } _: { server in
      let request = HTTPRequest(.get, server.url, limits: HTTPLimits(bodyBytes: bytes))
      let answers = transport.sendAll(Array(repeating: request, count: 8))
      #expect(answers.allSatisfy { (try? $0.get().status) == 200 })
    }
    #expect(lock.withLock { most } == together)
  }

  /// Answers the first request on each connection, then reads the second and closes without an
  /// answer.
  ///
  /// A second connection always answers.
  private static let dyingOnReuse: ScriptedServer.Script = { connection in
    guard connection.readRequest() != nil else { return }
    connection.answer()
    guard connection.number > 1 else { return _ = connection.readRequest() }
    while connection.readRequest() != nil { connection.answer() }
  }

  @Test(arguments: [
    (HTTPMethod.post, 7), (.post, 0), (.put, 7), (.delete, 0), (.post, 2_000_000),
  ])
  func `a write on a reused connection that dies is carried out once, and its outcome is unknown`(
    method: HTTPMethod, bytes: Int
  ) throws {
    let body = String(repeating: "x", count: bytes)
    try withServer(Self.dyingOnReuse) { server in
      _ = try transport.send(HTTPRequest(.get, server.url("first")))
      let error = #expect(throws: HTTPError.self) {
        try transport.send(HTTPRequest(method, server.url("write"), body: Data(body.utf8)))
      }
      #expect(error?.code == .connectionLost)
      #expect(error?.outcome == .unknown)
      #expect(error?.message.contains("may or may not have carried the request out") == true)
      #expect(server.requests.filter { $0.requestLine.contains("write") }.count == 1)
    }
  }

  @Test(arguments: [
    (HTTPMethod.get, 0), (.post, 7), (.post, 2_000_000),
  ])
  func `a read on a reused connection that dies is simply asked again`(
    method: HTTPMethod, bytes: Int
  ) throws {
    let body = String(repeating: "x", count: bytes)
    try withServer(Self.dyingOnReuse) { server in
      _ = try transport.send(HTTPRequest(.get, server.url("first")))
      let answer = try transport.send(
        HTTPRequest(method, server.url("read"), body: Data(body.utf8), isWrite: false))
      #expect(answer.status == 200)
      let reads = server.requests.filter { $0.requestLine.contains("read") }
      #expect(reads.count == 2)
      #expect(reads.map { String(decoding: $0.body, as: UTF8.self) } == [body, body])
    }
  }

  @Test func `a connection that the server closed while idle is not used for a write`() throws {
    try withServer { connection in
      guard connection.readRequest() != nil else { return }
      connection.answer()
    } _: { server in
      for _ in 0..<5 {
        let answer = try transport.send(HTTPRequest(.post, server.url, body: Data("{}".utf8)))
        #expect(answer.status == 200)
        Thread.sleep(forTimeInterval: 0.05)
      }
      #expect(server.requests.count == 5)
      #expect(server.connectionCount == 5)
    }
  }

  @Test(arguments: [400, 413, 500])
  func `a connection on which an error was answered is not used again`(status: Int) throws {
    try withServer { connection in
      guard connection.readRequest() != nil else { return }
      connection.answer(status, headers: "Connection: keep-alive\r\nKeep-Alive: timeout=5\r\n")
      // Parse Server does the same: it destroys the connection while the next request arrives.
      _ = connection.readRequest()
    } _: { server in
      for _ in 0..<3 {
        let question = HTTPRequest(.post, server.url, body: Data("{}".utf8), isWrite: false)
        let answer = try transport.send(question)
        #expect(answer.status == status)
      }
      #expect(server.requests.count == 3)
      #expect(server.connectionCount == 3)
    }
  }

  @Test func `a connection that was idle for nearly as long as Node allows is not used again`()
    throws
  {
    try withServer { connection in
      while connection.readRequest() != nil { connection.answer() }
    } _: { server in
      _ = try transport.send(HTTPRequest(.get, server.url))
      Thread.sleep(forTimeInterval: 4.1)
      _ = try transport.send(HTTPRequest(.post, server.url))
      #expect(server.connectionCount == 2)
    }
  }

  @Test func `where nothing listens, nothing was sent`() throws {
    let server = try ScriptedServer { _ in }
    server.stop()
    let error = #expect(throws: HTTPError.self) {
      try transport.send(HTTPRequest(.post, server.url, body: Data("{}".utf8)))
    }
    #expect(error?.code == .couldNotConnect)
    #expect(error?.outcome == .notSent)
    #expect(error?.message.contains("This request was not sent.") == true)
  }

  @Test func `a name that does not exist is not found, and nothing was sent`() throws {
    let url = try #require(URL(string: "https://no-such-server.invalid/parse"))
    var request = HTTPRequest(.post, url)
    request.limits.totalTime = .seconds(20)
    let error = #expect(throws: HTTPError.self) { try transport.send(request) }
    // Without any network the name service may not answer in time.
    #expect(error?.code == .couldNotResolve || error?.code == .timeout)
    #expect(error?.outcome == .notSent)
    let again = #expect(throws: HTTPError.self) { try transport.send(request) }
    #expect(again?.code == error?.code, "a failure leaves the transport as it was")
  }
}
