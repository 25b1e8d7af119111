// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryCurl
package import FerryHTTP
import Synchronization

/// A network that loses chosen requests, or the answers to them; in both cases nobody can know which.
package final class RealServerLosses: HTTPTransport {
  /// What is lost of an exchange.
  package enum Loss: Sendable {
    /// The server gets the request and acts on it.
    case answer
    /// The server never sees it.
    case request
  }

  private let network = CurlTransport()
  private let chosen = Mutex<@Sendable (HTTPRequest) -> Loss?>({ _ in nil })

  package init() {}

  /// Says from now on what is lost.
  package func lose(_ choice: @escaping @Sendable (HTTPRequest) -> Loss?) {
    chosen.withLock { $0 = choice }
  }

  package func run<Failure: Error>(
    _ requests: [HTTPRequest], cancellation: CancellationSignal,
    completed: (HTTPRequest, Result<HTTPResponse, HTTPError>) throws(Failure) -> [HTTPRequest]
  ) throws(Failure) {
    let sent = try arriving(requests, completed)
    try network.run(sent, cancellation: cancellation) { request, result throws(Failure) in
      let isLost = loss(of: request) == .answer
      return try arriving(completed(request, isLost ? .failure(Self.lost) : result), completed)
    }
  }

  /// Those of the requests, and of what follows them, that reach the server.
  private func arriving<Failure: Error>(
    _ requests: [HTTPRequest],
    _ completed: (HTTPRequest, Result<HTTPResponse, HTTPError>) throws(Failure) -> [HTTPRequest]
  ) throws(Failure) -> [HTTPRequest] {
    var left = requests[...]
    var arriving: [HTTPRequest] = []
    while let request = left.popFirst() {
      if loss(of: request) == .request {
        left += try completed(request, .failure(Self.lost))
      } else {
        arriving.append(request)
      }
    }
    return arriving
  }

  private func loss(of request: HTTPRequest) -> Loss? { chosen.withLock { $0 }(request) }

  private static let lost = HTTPError(
    .connectionLost, outcome: .unknown, message: "The connection ended before the answer came.")
}
