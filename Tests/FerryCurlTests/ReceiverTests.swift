// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryCurl
import FerryHTTP
import FerryTestSupport
import Foundation
import Synchronization
import Testing

/// Bodies that a receiver takes while they arrive.
@Suite(.timeLimit(.minutes(1))) struct ReceiverTests {
  private final class Counter: HTTPBodyReceiver {
    private let state = Mutex((bytes: 0, largest: 0, statuses: [Int]()))
    private let limit: Int

    init(limit: Int = .max) { self.limit = limit }

    var bytes: Int { state.withLock(\.bytes) }
    var largestPart: Int { state.withLock(\.largest) }
    var statuses: [Int] { state.withLock(\.statuses) }

    func takesBody(status: Int, headers: HTTPHeaders) -> Bool {
      state.withLock { $0.statuses.append(status) }
      return status == 200
    }

    func take(_ part: UnsafeRawBufferPointer) -> Bool {
      state.withLock { state in
        state.bytes += part.count
        state.largest = max(state.largest, part.count)
        return state.bytes <= limit
      }
    }
  }

  private func request(_ server: ScriptedServer, _ receiver: Counter) -> HTTPRequest {
    var request = HTTPRequest(.get, server.url)
    request.limits.bodyBytes = 1 << 20
    request.receiver = receiver
    return request
  }

  @Test func `a receiver takes more than memory may hold, in parts`() throws {
    let receiver = Counter()
    try withServer { connection in
      _ = connection.readRequest()
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n")
      let part = [UInt8](repeating: 1, count: 1_000_000)
      for _ in 0..<100 { connection.write(part) }
    } _: { server in
      let answer = try CurlTransport().send(request(server, receiver))
      #expect(answer.status == 200 && answer.body.isEmpty)
      #expect(receiver.bytes == 100_000_000)
      #expect(receiver.largestPart <= 128 << 10)
      let asked = server.requests[0]
      #expect(asked.value("Accept-Encoding") == nil && asked.value("Content-Type") == nil)
    }
  }

  @Test func `a body that the receiver does not take is part of the answer, within a limit`() throws
  {
    let receiver = Counter()
    try withServer { connection in
      _ = connection.readRequest()
      connection.answer(404, "not here")
    } _: { server in
      let answer = try CurlTransport().send(request(server, receiver))
      #expect(answer.body == Data("not here".utf8))
      #expect(receiver.bytes == 0 && receiver.statuses == [404])
    }
    try withServer { connection in
      _ = connection.readRequest()
      connection.answer(404, String(repeating: "x", count: 2 << 20))
    } _: { server in
      var request = request(server, receiver)
      request.limits.bodyBytes = .max
      _ = #expect(throws: HTTPError.self) { try CurlTransport().send(request) }
    }
  }

  @Test func `a receiver that wants no more ends the exchange`() throws {
    let receiver = Counter(limit: 1000)
    try withServer { connection in
      _ = connection.readRequest()
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n")
      while connection.write([UInt8](repeating: 1, count: 1_000_000)) {}
    } _: { server in
      _ = #expect(throws: HTTPError.self) { try CurlTransport().send(request(server, receiver)) }
    }
  }

  @Test func `a redirect is an answer, which is not followed`() throws {
    try withServer { connection in
      _ = connection.readRequest()
      connection.answer(302, "", headers: "Location: http://127.0.0.1:1/x\r\n")
    } _: { server in
      let answer = try CurlTransport().send(request(server, Counter()))
      #expect(answer.status == 302 && answer.headers["Location"] == "http://127.0.0.1:1/x")
    }
  }
}
