// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryCurl
import FerryHTTP
import Synchronization

/// A network that breaks an answer off while a receiver takes it.
final class CuttingTransport: HTTPTransport {
  private struct State: Sendable {
    var left: Int?
    var received = 0
    var requests: [HTTPRequest] = []
  }

  private let network = CurlTransport()
  private let state = Mutex(State())

  /// Breaks the connection once, after that many bytes of bodies.
  func cut(after count: Int) { state.withLock { $0.left = count } }

  /// The requests that were sent.
  var requests: [HTTPRequest] { state.withLock(\.requests) }
  /// The bytes of bodies that came.
  var received: Int { state.withLock(\.received) }

  func run<Failure: Error>(
    _ requests: [HTTPRequest], cancellation: CancellationSignal,
    completed: (HTTPRequest, Result<HTTPResponse, HTTPError>) throws(Failure) -> [HTTPRequest]
  ) throws(Failure) {
    try network.run(requests.map(watched), cancellation: cancellation) {
      (request, result) throws(Failure) -> [HTTPRequest] in
      let wasCut = state.withLock { state in
        defer { if state.left == 0 { state.left = nil } }
        return state.left == 0
      }
      let seen: Result<HTTPResponse, HTTPError> =
        wasCut
        ? .failure(HTTPError(.connectionLost, outcome: .unknown, message: "It was cut."))
        : result
      return try completed(request, seen).map(watched)
    }
  }

  private func watched(_ request: HTTPRequest) -> HTTPRequest {
    state.withLock { $0.requests.append(request) }
    var request = request
    request.receiver = request.receiver.map { Receiver(inner: $0, transport: self) }
    return request
  }

  private final class Receiver: HTTPBodyReceiver {
    let inner: any HTTPBodyReceiver
    let transport: CuttingTransport

    init(inner: any HTTPBodyReceiver, transport: CuttingTransport) {
      self.inner = inner
      self.transport = transport
    }

    func takesBody(status: Int, headers: HTTPHeaders) -> Bool {
      inner.takesBody(status: status, headers: headers)
    }

    func take(_ part: UnsafeRawBufferPointer) -> Bool {
      let count = transport.state.withLock { state in
        let count = min(part.count, state.left ?? .max)
        state.left = state.left.map { $0 - count }
        state.received += count
        return count
      }
      return inner.take(UnsafeRawBufferPointer(rebasing: part[..<count])) && count == part.count
    }
  }
}
