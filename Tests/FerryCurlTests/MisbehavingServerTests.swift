// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryTestSupport
import Foundation
import Testing

@testable import FerryCurl

/// A server's misbehaviour, and the expected error.
struct Misbehaviour: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let code: HTTPError.Code
  /// The server's behaviour after it has read a request.
  let act: ScriptedServer.Script

  init(_ name: String, _ code: HTTPError.Code, _ act: @escaping ScriptedServer.Script) {
    testDescription = name
    self.code = code
    self.act = act
  }

  init(_ name: String, _ code: HTTPError.Code, sending text: String) {
    self.init(name, code) { $0.write(text) }
  }

  /// Writes a beginning, and then the same part again and again while the client listens.
  init(_ name: String, _ code: HTTPError.Code, start: String, endless: [UInt8]) {
    self.init(name, code) { connection in
      connection.write(start)
      while connection.write(endless) {}
    }
  }

  private static let ok = "HTTP/1.1 200 OK\r\n"

  static let all: [Misbehaviour] = [
    Misbehaviour("closes at once", .connectionLost, sending: ""),
    Misbehaviour("closes in the status line", .connectionLost, sending: "HTTP/1.1 20"),
    Misbehaviour("closes in the headers", .connectionLost, sending: "\(ok)Content-Le"),
    Misbehaviour(
      "closes in the body", .connectionLost, sending: "\(ok)Content-Length: 10\r\n\r\n{\"a\":"),
    Misbehaviour(
      "closes in a chunk", .connectionLost, sending: "\(ok)Transfer-Encoding: chunked\r\n\r\n9\r\n{"
    ),
    Misbehaviour(
      "closes before the last chunk", .connectionLost,
      sending: "\(ok)Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n"),
    Misbehaviour(
      "gives a chunk no size", .connectionLost,
      sending: "\(ok)Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n"),
    Misbehaviour("speaks without headers", .protocolError, sending: "hello\r\n\r\n"),
    Misbehaviour("sends zero bytes", .protocolError) { $0.write([UInt8](repeating: 0, count: 99)) },
    Misbehaviour("names an absurd version", .protocolError, sending: "HTTP/9.9 200 OK\r\n\r\n"),
    Misbehaviour(
      "claims to pack and does not", .protocolError,
      sending: "\(ok)Content-Encoding: gzip\r\nContent-Length: 8\r\n\r\n12345678"),
    Misbehaviour("never answers", .timeout) { $0.stall() },
    Misbehaviour("stalls in the body", .timeout) { connection in
      connection.write("\(ok)Content-Length: 10\r\n\r\n{")
      connection.stall()
    },
    Misbehaviour("drips", .timeout) { connection in
      connection.write("\(ok)Content-Length: 1000000\r\n\r\n")
      while connection.write(" ") { Thread.sleep(forTimeInterval: 0.05) }
    },
    Misbehaviour(
      "sends headers without end", .tooManyHeaders, start: ok,
      endless: Array("X-Any: thing\r\n".utf8)),
    Misbehaviour(
      "sends one header line without end", .tooManyHeaders, start: "\(ok)X-Any: ",
      endless: [UInt8](repeating: UInt8(ascii: "a"), count: 4096)),
    Misbehaviour(
      "asks to continue without end", .tooManyHeaders, start: "",
      endless: Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)),
    Misbehaviour(
      "sends a body without end", .tooLarge, start: "\(ok)\r\n",
      endless: [UInt8](repeating: UInt8(ascii: "a"), count: 4096)),
    Misbehaviour(
      "sends chunks without end", .tooLarge, start: "\(ok)Transfer-Encoding: chunked\r\n\r\n",
      endless: Array("4\r\n1234\r\n".utf8)),
    Misbehaviour(
      "announces a huge body", .tooLarge,
      start: "\(ok)Content-Length: 9223372036854775807\r\n\r\n",
      endless: [UInt8](repeating: UInt8(ascii: "a"), count: 4096)),
    Misbehaviour("sends a packed bomb", .tooLarge) { connection in
      connection.write("\(ok)Content-Encoding: gzip\r\n\r\n")
      connection.write(PackedZeros.gzip)
      while connection.write(PackedZeros.more) {}
    },
    Misbehaviour("sends a packed bomb with an error", .tooLarge) { connection in
      connection.write("HTTP/1.1 500 Any\r\nContent-Encoding: gzip\r\n\r\n")
      connection.write(PackedZeros.gzip)
      while connection.write(PackedZeros.more) {}
    },
    Misbehaviour("sends a packed bomb with a redirect", .tooLarge) { connection in
      connection.write("HTTP/1.1 302 Any\r\nContent-Encoding: gzip\r\nLocation: /\r\n\r\n")
      connection.write(PackedZeros.gzip)
      while connection.write(PackedZeros.more) {}
    },
  ]
}

@Suite(.timeLimit(.minutes(1)))
struct MisbehavingServerTests {
  private let transport = CurlTransport()

  private func request(_ method: HTTPMethod, _ url: URL) -> HTTPRequest {
    let limits = HTTPLimits(
      bodyBytes: 1_000_000, headerBytes: 20_000, totalTime: .seconds(20), minimumSpeed: 1000,
      slowTime: .seconds(1))
    return HTTPRequest(method, url, body: Data(), limits: limits)
  }

  @Test(arguments: Misbehaviour.all)
  func `whatever a server does, the exchange ends in an error of its kind`(
    _ misbehaviour: Misbehaviour
  ) throws {
    try withServer { connection in
      guard connection.readRequest() != nil else { return }
      misbehaviour.act(connection)
    } _: { server in
      let start = ContinuousClock.now
      let error = #expect(throws: HTTPError.self) {
        try transport.send(request(.post, server.url))
      }
      // The transport detects the stall long before the total time is over.
      #expect(ContinuousClock.now - start < .seconds(15))
      #expect(error?.code == misbehaviour.code)
      #expect(error?.outcome == .unknown)
      #expect(server.requests.count == 1)
      let message = try #require(error?.message)
      #expect(message.hasSuffix("."))
      #expect(message.contains("may or may not"))
    }
  }

  @Test func `an answer cut at any byte is an error, never a shorter answer`() throws {
    let whole = Array("HTTP/1.1 200 OK\r\nContent-Length: 14\r\n\r\n{\"results\":[]}".utf8)
    try withServer { connection in
      guard let request = connection.readRequest() else { return }
      let length = Int(request.requestLine.split(separator: " ")[1].dropFirst()) ?? 0
      connection.write(Array(whole[..<length]))
    } _: { server in
      let requests = whole.indices.map { request(.get, server.url("\($0)")) }
      for result in transport.sendAll(requests) {
        guard case .failure(let error) = result else {
          Issue.record("A cut answer came through: \(result)")
          continue
        }
        #expect(error.code == .connectionLost || error.code == .protocolError)
      }
    }
  }

  @Test
  func `an answer of more than it announced is cut where it said, and its connection not reused`()
    throws
  {
    try withServer { connection in
      while connection.readRequest() != nil {
        connection.write(
          "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}HTTP/1.1 500 Smuggled\r\n\r\n")
      }
    } _: { server in
      for _ in 0..<3 {
        let answer = try transport.send(request(.get, server.url))
        #expect(answer.status == 200)
        #expect(answer.body == Data("{}".utf8))
      }
      #expect(server.connectionCount == 3)
    }
  }

  @Test(arguments: [0, 1])
  func `a body of exactly the ceiling passes, one byte more does not`(extra: Int) throws {
    try withServer { connection in
      guard connection.readRequest() != nil else { return }
      connection.answer(200, String(repeating: "a", count: 1_000_000 + extra))
    } _: { server in
      let result = transport.sendAll([request(.get, server.url)])[0]
      #expect((try? result.get())?.body.count == (extra == 0 ? 1_000_000 : nil))
    }
  }

  @Test func `a silent server ends the exchange after the time that the error names`() throws {
    try withServer { connection in
      guard connection.readRequest() != nil else { return }
      connection.stall()
    } _: { server in
      let start = ContinuousClock.now
      let error = #expect(throws: HTTPError.self) { try transport.send(request(.get, server.url)) }
      #expect(ContinuousClock.now - start >= .seconds(1))
      #expect(ContinuousClock.now - start < .seconds(4))
      #expect(error?.code == .timeout)
      #expect(error?.silence == .seconds(1))
      #expect(error?.message.contains("was silent for 1 s, so Ferry gave up.") == true)
    }
  }

  @Test func `the total time ends an answer of one byte a second`() throws {
    try withServer { connection in
      guard connection.readRequest() != nil else { return }
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
      while connection.write(" ") { Thread.sleep(forTimeInterval: 1) }
    } _: { server in
      var request = request(.get, server.url)
      request.limits.minimumSpeed = 1
      request.limits.slowTime = .seconds(60)
      request.limits.totalTime = .seconds(3)
      let start = ContinuousClock.now
      let error = #expect(throws: HTTPError.self) { try transport.send(request) }
      #expect(error?.code == .timeout)
      #expect(error?.silence == nil)
      #expect(error?.message.contains("did not complete its answer within 3 s.") == true)
      #expect(ContinuousClock.now - start >= .seconds(3))
      #expect(ContinuousClock.now - start < .seconds(15))
    }
  }

  @Test func `an exchange that ends as libcurl counts the total time has reached it`() {
    let limits = HTTPLimits(totalTime: .seconds(3), slowTime: .seconds(60))
    #expect(TimeLimit.ending(after: .milliseconds(2_999), under: limits) == .total(.seconds(3)))
    #expect(TimeLimit.ending(after: .seconds(2), under: limits) == .silence(.seconds(60)))
  }

  @Test func `the total time ends an exchange that is quick enough but never done`() throws {
    try withServer { connection in
      guard connection.readRequest() != nil else { return }
      connection.stall()
    } _: { server in
      var request = request(.get, server.url)
      request.limits.totalTime = .milliseconds(200)
      let start = ContinuousClock.now
      let error = #expect(throws: HTTPError.self) { try transport.send(request) }
      #expect(error?.code == .timeout)
      #expect(ContinuousClock.now - start < .seconds(5))
    }
  }
}
