// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import Foundation
import Synchronization
import Testing

/// A transport that answers from a function and records its requests.
private final class RecordingTransport: HTTPTransport {
  private let answer: @Sendable (HTTPRequest, Int) -> Result<HTTPResponse, HTTPError>
  private let sent = Mutex<[HTTPRequest]>([])

  /// Makes it from a function of the request and the number of requests before it.
  init(_ answer: @escaping @Sendable (HTTPRequest, Int) -> Result<HTTPResponse, HTTPError>) {
    self.answer = answer
  }

  var requests: [HTTPRequest] { sent.withLock(\.self) }

  func run<Failure: Error>(
    _ requests: [HTTPRequest], cancellation: CancellationSignal,
    completed: (HTTPRequest, Result<HTTPResponse, HTTPError>) throws(Failure) -> [HTTPRequest]
  ) throws(Failure) {
    var left = requests[...]
    while let request = left.popFirst() {
      let number = sent.withLock { sent in
        sent.append(request)
        return sent.count - 1
      }
      left += try completed(request, answer(request, number))
    }
  }
}

@Suite
struct RetryingTransportTests {
  private let url = URL(filePath: "/classes/Game")

  private func retrying(
    _ transport: some HTTPTransport,
    observer: @escaping @Sendable (RetryingTransport.Retry) -> Void = { _ in }
  ) -> RetryingTransport {
    RetryingTransport(
      transport, surroundings: .init(jitter: { 0 }, now: { 0 }),
      isRateLimited: { $0.body == Data("limited".utf8) }, observer: observer)
  }

  @Test("A passing failure is hidden; the requests that go out wait longer and longer")
  func hidden() throws {
    let inner = RecordingTransport { _, number in
      .success(HTTPResponse(status: number < 3 ? 503 : 200))
    }
    let seen = Mutex<[RetryingTransport.Retry]>([])
    let transport = retrying(inner) { retry in seen.withLock { $0.append(retry) } }
    let answer = try transport.send(HTTPRequest(.get, url, tag: 42))
    #expect(answer.status == 200)
    #expect(
      inner.requests.map(\.delay) == [
        .zero, .milliseconds(250), .milliseconds(500), .seconds(1),
      ])
    let retries = seen.withLock(\.self)
    #expect(retries.map(\.attempt) == [1, 2, 3])
    #expect(retries.map(\.delay) == inner.requests.dropFirst().map(\.delay))
    #expect(retries.allSatisfy { $0.request.tag == 42 })
  }

  @Test("The last result is handed on, with the request as it was given")
  func last() throws {
    let inner = RecordingTransport { _, _ in .success(HTTPResponse(status: 500)) }
    var given: [HTTPRequest] = []
    let request = HTTPRequest(.get, url, tag: 9, delay: .seconds(3))
    retrying(inner).run([request], cancellation: CancellationSignal()) { request, result in
      #expect((try? result.get())?.status == 500)
      given.append(request)
      return []
    }
    #expect(given.map(\.tag) == [9])
    #expect(given.map(\.delay) == [.seconds(3)])
    #expect(inner.requests.count == 5)
    #expect(inner.requests.first?.delay == .seconds(3))
  }

  @Test("A write of unknown outcome goes out once, one that was not sent again")
  func writes() {
    for (outcome, count) in [(HTTPError.Outcome.unknown, 1), (.notSent, 5)] {
      let inner = RecordingTransport { _, _ in
        .failure(HTTPError(.connectionLost, outcome: outcome, message: "Lost."))
      }
      #expect(throws: HTTPError.self) { try retrying(inner).send(HTTPRequest(.post, url)) }
      #expect(inner.requests.count == count)
    }
  }

  @Test("A refusal that the caller recognises as a rate limit is repeated")
  func rateLimit() throws {
    let inner = RecordingTransport { _, number in
      .success(HTTPResponse(status: 400, body: Data((number < 2 ? "limited" : "other").utf8)))
    }
    let answer = try retrying(inner).send(HTTPRequest(.post, url))
    #expect(answer.body == Data("other".utf8))
    #expect(inner.requests.count == 3)
  }

  @Test("Requests with one tag, and requests returned later, have attempts of their own")
  func separate() {
    let inner = RecordingTransport { request, _ in
      .success(HTTPResponse(status: request.method == .get ? 500 : 200))
    }
    var endings: [Int] = []
    let requests = [HTTPRequest(.get, url, tag: 1), HTTPRequest(.get, url, tag: 1)]
    retrying(inner).run(requests, cancellation: CancellationSignal()) { request, result in
      endings.append((try? result.get())?.status ?? 0)
      return request.method == .get && endings.count == 1
        ? [HTTPRequest(.get, url, tag: 1), HTTPRequest(.put, url, tag: 1)] : []
    }
    #expect(endings.sorted() == [200, 500, 500, 500])
    #expect(inner.requests.count == 16)
  }

  @Test("An error of the caller's comes through")
  func throwing() {
    struct Enough: Error {}
    let inner = RecordingTransport { _, _ in .success(HTTPResponse(status: 200)) }
    #expect(throws: Enough.self) {
      try retrying(inner).run([HTTPRequest(.get, url)], cancellation: CancellationSignal()) {
        _, _ in
        throw Enough()
      }
    }
  }
}
