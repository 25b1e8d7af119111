// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryCurl
import FerryHTTP
import FerryTestSupport
import Foundation
import Synchronization
import Testing

/// Runs that end before their work is done.
@Suite(.timeLimit(.minutes(1)))
struct CancellationTests {
  private let transport = CurlTransport()

  private static let silent: ScriptedServer.Script = { connection in
    _ = connection.readRequest()
    connection.stall()
  }

  /// Cancels on another thread after the server has that many requests; returns the moment.
  private func cancel(_ signal: CancellationSignal, after count: Int, at server: ScriptedServer)
    -> Moment
  {
    let moment = Moment()
    Thread.detachNewThread {
      while server.requests.count < count { Thread.sleep(forTimeInterval: 0.01) }
      // The transport sleeps by now.
      Thread.sleep(forTimeInterval: 0.1)
      moment.set()
      signal.cancel()
    }
    return moment
  }

  @Test
  func `cancelling ends within half a second what is under way, what waits, and what is delayed`()
    throws
  {
    try withServer(Self.silent) { server in
      let signal = CancellationSignal()
      var requests = (0..<20).map { HTTPRequest(.post, server.url, tag: $0) }
      requests.append(HTTPRequest(.post, server.url, tag: 20, delay: .seconds(60)))
      let moment = cancel(signal, after: 8, at: server)
      var outcomes: [Int: HTTPError.Outcome] = [:]
      transport.run(requests, cancellation: signal) { request, result in
        if case .failure(let error) = result, error.code == .cancelled {
          outcomes[request.tag] = error.outcome
        }
        return [request]  // dropped, or the run would never end
      }
      #expect(moment.elapsed < .milliseconds(500))
      #expect(outcomes.count == 21)
      #expect(outcomes.values.filter { $0 == .unknown }.count == 8)
      #expect(outcomes[20] == .notSent)
      #expect(server.requests.count == 8)
    }
  }

  @Test func `waiting for nothing but a delay is cancelled as quickly`() throws {
    try withServer(Self.silent) { server in
      let signal = CancellationSignal()
      let moment = cancel(signal, after: 0, at: server)
      let request = HTTPRequest(.get, server.url, delay: .seconds(60))
      let error = #expect(throws: HTTPError.self) {
        try transport.send(request, cancellation: signal)
      }
      #expect(error?.code == .cancelled)
      #expect(moment.elapsed < .milliseconds(500))
      #expect(server.connectionCount == 0)
    }
  }

  @Test func `a signal that was given before lets nothing out`() throws {
    try withServer(Self.silent) { server in
      let signal = CancellationSignal()
      signal.cancel()
      let results = transport.sendAll(
        [HTTPRequest(.get, server.url), HTTPRequest(.get, server.url)], cancellation: signal)
      for result in results {
        guard case .failure(let error) = result else { continue }
        #expect(error.code == .cancelled && error.outcome == .notSent)
      }
      #expect(server.connectionCount == 0)
    }
  }

  @Test
  func `requests returned for a complete answer after the cancellation end as cancelled, unsent`()
    throws
  {
    try withServer { connection in
      while connection.readRequest() != nil { connection.answer() }
    } _: { server in
      let signal = CancellationSignal()
      var codes: [Int: HTTPError.Code] = [:]
      transport.run([HTTPRequest(.get, server.url, tag: 1)], cancellation: signal) {
        request, result in
        if case .failure(let error) = result { codes[request.tag] = error.code }
        signal.cancel()
        return [HTTPRequest(.get, server.url, tag: request.tag + 1)]
      }
      #expect(codes == [2: .cancelled])
      #expect(server.requests.count == 1)
    }
  }

  @Test func `an error of the caller's abandons the rest and comes out; the transport works on`()
    throws
  {
    struct Enough: Error {}
    try withServer { connection in
      while let request = connection.readRequest() {
        if request.requestLine.contains("silent") { connection.stall() }
        connection.answer()
      }
    } _: { server in
      var calls = 0
      let requests = [
        HTTPRequest(.get, server.url("silent")), HTTPRequest(.get, server.url("quick")),
      ]
      #expect(throws: Enough.self) {
        try transport.run(requests, cancellation: CancellationSignal()) { _, _ in
          calls += 1
          throw Enough()
        }
      }
      #expect(calls == 1)
      let answer = try transport.send(HTTPRequest(.get, server.url("quick")))
      #expect(answer.status == 200)
    }
  }
}

/// A moment that one thread notes and another reads.
private final class Moment: Sendable {
  private let value = Mutex<ContinuousClock.Instant?>(nil)

  func set() { value.withLock { $0 = ContinuousClock.now } }

  /// The time since then; without end if it was not noted.
  var elapsed: Duration {
    value.withLock(\.self).map { ContinuousClock.now - $0 } ?? .seconds(1_000_000)
  }
}
