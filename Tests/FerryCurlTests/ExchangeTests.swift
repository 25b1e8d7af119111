// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryCurl
import FerryHTTP
import FerryTestSupport
import Foundation
import Testing

/// The bytes of exchanges without failures.
@Suite(.timeLimit(.minutes(1)))
struct ExchangeTests {
  private let transport = CurlTransport()

  /// Answers every request with the request's content.
  private static let echo: ScriptedServer.Script = { connection in
    while let request = connection.readRequest() {
      connection.answer(200, String(decoding: request.body, as: UTF8.self))
    }
  }

  @Test(
    arguments: [
      (HTTPMethod.get, "", nil), (.post, "{}", "2"), (.post, "", "0"), (.put, "{\"a\":1}", "7"),
      (.put, "", "0"), (.delete, "", nil), (.delete, "{}", "2"), (.get, "{}", "2"),
    ] as [(HTTPMethod, String, String?)])
  func `each verb arrives with its body and its length`(
    method: HTTPMethod, body: String, length: String?
  ) throws {
    try withServer(Self.echo) { server in
      let request = HTTPRequest(method, server.url("classes/Game"), body: Data(body.utf8))
      let answer = try transport.send(request)
      #expect(answer.status == 200)
      #expect(String(decoding: answer.body, as: UTF8.self) == body)
      let seen = try #require(server.requests.first)
      #expect(seen.requestLine == "\(method.rawValue) /classes/Game HTTP/1.1")
      #expect(seen.value("Content-Length") == length)
      #expect(seen.value("Content-Type") == "application/json")
      #expect(seen.value("Expect") == nil)
      #expect(seen.value("Upgrade") == nil)
      #expect(seen.value("Transfer-Encoding") == nil)
    }
  }

  @Test func `a head names the length of a body that does not come`() throws {
    try withServer({ connection in
      while connection.readRequest() != nil {
        _ = connection.write("HTTP/1.1 200 OK\r\nContent-Length: 5000000\r\n\r\n")
      }
    }) { server in
      for _ in 0..<2 {
        let request = HTTPRequest(.head, server.url("files/app1/a.txt"))
        #expect(!request.isWrite)
        let answer = try transport.send(request)
        #expect(answer.status == 200 && answer.body.isEmpty)
        #expect(answer.headers["Content-Length"] == "5000000")
      }
      let line = "HEAD /files/app1/a.txt HTTP/1.1"
      #expect(server.requests.map(\.requestLine) == [line, line])
      #expect(server.connectionCount == 1)
    }
  }

  @Test func `a request's own content type is sent, once; an empty value is sent as empty`() throws
  {
    try withServer(Self.echo) { server in
      let headers: HTTPHeaders = ["content-type": "image/png", "X-Empty": "", "X-Key": "k: v"]
      _ = try transport.send(
        HTTPRequest(.post, server.url, headers: headers, body: Data("x".utf8)))
      let seen = try #require(server.requests.first)
      #expect(seen.value("Content-Type") == "image/png")
      #expect(seen.count("Content-Type") == 1)
      #expect(seen.value("X-Empty") == "")
      #expect(seen.value("X-Key") == "k: v")
    }
  }

  @Test(arguments: [200, 201, 204, 304, 400, 404, 429, 500, 503])
  func `every complete answer is an answer, whatever its status`(status: Int) throws {
    try withServer { connection in
      while connection.readRequest() != nil {
        // These two never have a body.
        let body = status == 204 || status == 304 ? "" : "{\"code\":1}"
        connection.answer(status, body, headers: "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n")
      }
    } _: { server in
      let answer = try transport.send(HTTPRequest(.get, server.url))
      #expect(answer.status == status)
      #expect(answer.headers["content-length"] != nil)
      #expect(answer.date == Date(timeIntervalSince1970: 784_111_777))
      #expect(answer.duration > .zero && answer.duration < .seconds(10))
    }
  }

  @Test func `interim answers, folded bodies and trailers leave only the final answer`() throws {
    try withServer { connection in
      guard connection.readRequest() != nil else { return }
      connection.write("HTTP/1.1 103 Early Hints\r\nX-Early: 1\r\n\r\n")
      connection.write("HTTP/1.1 200 OK\r\nX-Final: 1\r\nTransfer-Encoding: chunked\r\n\r\n")
      connection.write("2\r\n{}\r\n0\r\nX-Final: 2\r\nX-Trailer: 1\r\n\r\n")
      connection.stall()
    } _: { server in
      let answer = try transport.send(HTTPRequest(.get, server.url))
      #expect(answer.body == Data("{}".utf8))
      #expect(answer.headers["X-Early"] == nil)
      #expect(answer.headers["X-Final"] == "1")
      #expect(answer.headers["X-Trailer"] == nil)
    }
  }

  @Test func `twenty megabytes go up and come down whole, and are counted`() throws {
    try withServer(Self.echo) { server in
      let text = Data(repeating: UInt8(ascii: "x"), count: 20_000_000)
      // A slice, whose indices do not begin at 0.
      let request = HTTPRequest(
        .post, server.url, body: text.dropFirst(7), limits: HTTPLimits(bodyBytes: 20_000_000))
      let answer = try transport.send(request)
      #expect(answer.body == text.dropFirst(7))
      let head = try #require(server.requests.first).head.utf8.count + 4
      #expect(answer.bytesUp == head + 19_999_993)
      #expect(answer.bytesDown > 19_999_993 && answer.bytesDown < 20_000_200)
    }
  }

  @Test func `results stand in the order of the requests, though answers come in another`() throws {
    try withServer { connection in
      while let request = connection.readRequest() {
        let number = request.requestLine.split(separator: " ")[1].dropFirst()
        Thread.sleep(forTimeInterval: number == "0" ? 0.2 : 0)
        connection.answer(200, String(number))
      }
    } _: { server in
      let requests = (0..<100).map { HTTPRequest(.get, server.url("\($0)"), tag: 7) }
      let answers = try transport.sendAll(requests).map { try $0.get() }
      #expect(
        answers.map { String(decoding: $0.body, as: UTF8.self) } == (0..<100).map(String.init))
      #expect(server.connectionCount <= 8)
    }
  }

  @Test func `a path with dots is sent as it is`() throws {
    try withServer(Self.echo) { server in
      let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/classes/Game/.."))
      _ = try transport.send(HTTPRequest(.delete, url))
      #expect(server.requests.first?.requestLine == "DELETE /classes/Game/.. HTTP/1.1")
    }
  }

  @Test
  func `a run goes on with what completed returns, and sends nothing before its delay is over`()
    throws
  {
    try withServer(Self.echo) { server in
      let start = ContinuousClock.now
      var order: [Int] = []
      let first = (1...3).map { HTTPRequest(.get, server.url, tag: $0) }
      transport.run(first, cancellation: CancellationSignal()) { request, _ in
        order.append(request.tag)
        guard request.tag == 1 else { return [] }
        return [
          HTTPRequest(.get, server.url, tag: 5, delay: .milliseconds(300)),
          HTTPRequest(.get, server.url, tag: 4, delay: .milliseconds(200)),
        ]
      }
      #expect(Set(order.prefix(3)) == [1, 2, 3])
      #expect(order.suffix(2) == [4, 5])
      #expect(ContinuousClock.now - start >= .milliseconds(300))
    }
  }
}
