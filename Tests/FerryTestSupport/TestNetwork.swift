// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryCurl
package import FerryHTTP
import Foundation
import Synchronization

/// The network between devices and a server.
///
/// It counts requests, and loses, delays or answers those that a test chooses.
package final class TestNetwork: HTTPTransport {
  /// A fault of a request or of its answer.
  package enum Fault: Sendable {
    /// The request does not reach the server, and the device cannot know that.
    case requestLost
    /// The server carries the request out, and the device cannot know that.
    case answerLost
    /// The server carries the request out, and the body of its answer ends that many bytes too early.
    case answerCut(Int)
    /// The request leaves late.
    case delayed(Duration)
    /// Something on the way answers, and the request does not reach the server.
    case answered(HTTPResponse)
    /// The answer may only have this fraction of the bytes that the request allows.
    case limitDivided(by: Int)
  }

  /// A request that has ended, and the status of its answer if there was one.
  package struct Exchange: Sendable {
    package var request: HTTPRequest
    package var status: Int?

    /// The path below the mount path, such as `/classes/Game`.
    package var path: String { request.path }
  }

  private struct State: Sendable {
    var fault: @Sendable (HTTPRequest) -> Fault? = { _ in nil }
    var started = 0
    var exchanges: [Exchange] = []
  }

  private let network = CurlTransport()
  private let state = Mutex(State())

  package init() {}

  /// Sets the faults from now on; nil for none.
  package func setFault(_ choice: (@Sendable (HTTPRequest) -> Fault?)?) {
    state.withLock { $0.fault = choice ?? { _ in nil } }
  }

  /// The exchanges that have ended, oldest first.
  package var exchanges: [Exchange] { state.withLock { $0.exchanges } }

  /// The number of requests so far.
  package var requestCount: Int { state.withLock { $0.started } }

  /// Resets the counts.
  package func forget() {
    state.withLock { state in (state.exchanges, state.started) = ([], 0) }
  }

  package func run<Failure: Error>(
    _ requests: [HTTPRequest], cancellation: CancellationSignal,
    completed: (HTTPRequest, Result<HTTPResponse, HTTPError>) throws(Failure) -> [HTTPRequest]
  ) throws(Failure) {
    // The network's own tag distinguishes two equal requests of which one loses its answer.
    var leaving: [Int: Departure] = [:]
    let first = try depart(requests, &leaving, completed)
    try network.run(first, cancellation: cancellation) { sent, result throws(Failure) in
      guard let departure = leaving.removeValue(forKey: sent.tag) else { return [] }
      let seen = departure.seen(result)
      note(departure.request, seen)
      return try depart(completed(departure.request, seen), &leaving, completed)
    }
  }

  /// Returns those of the requests, and of the following requests, that leave for the server.
  private func depart<Failure: Error>(
    _ requests: [HTTPRequest],
    _ leaving: inout [Int: Departure],
    _ completed: (HTTPRequest, Result<HTTPResponse, HTTPError>) throws(Failure) -> [HTTPRequest]
  ) throws(Failure) -> [HTTPRequest] {
    var left = requests[...]
    var departing: [HTTPRequest] = []
    while let request = left.popFirst() {
      var sent = request
      var departure = Departure(request: request)
      switch fault(of: request) {
      case nil: break
      case .answerLost: departure.losesAnswer = true
      case .answerCut(let count): departure.cutsAnswer = count
      case .delayed(let duration): sent.delay += duration
      case .limitDivided(let divisor): sent.limits.bodyBytes /= divisor
      case .requestLost:
        note(request, .failure(Self.lost))
        left += try completed(request, .failure(Self.lost))
        continue
      case .answered(let response):
        note(request, .success(response))
        left += try completed(request, .success(response))
        continue
      }
      sent.tag = (leaving.keys.max() ?? 0) + 1
      leaving[sent.tag] = departure
      departing.append(sent)
    }
    return departing
  }

  private func fault(of request: HTTPRequest) -> Fault? {
    let choose = state.withLock { state in
      state.started += 1
      return state.fault
    }
    return choose(request)
  }

  private func note(_ request: HTTPRequest, _ result: Result<HTTPResponse, HTTPError>) {
    let exchange = Exchange(request: request, status: try? result.get().status)
    state.withLock { $0.exchanges.append(exchange) }
  }

  /// A request on its way, and what becomes of its answer.
  private struct Departure {
    var request: HTTPRequest
    var losesAnswer = false
    var cutsAnswer = 0

    func seen(_ result: Result<HTTPResponse, HTTPError>) -> Result<HTTPResponse, HTTPError> {
      guard !losesAnswer else { return .failure(lost) }
      return result.map { response in
        var response = response
        response.body = response.body.dropLast(cutsAnswer)
        return response
      }
    }
  }

  private static let lost = HTTPError(
    .connectionLost, outcome: .unknown, message: "The connection ended before the answer came.")
}

extension HTTPRequest {
  /// The path below the mount path, such as `/classes/Game`.
  package var path: String {
    let path = url.path(percentEncoded: false)
    return path.hasPrefix("/parse/") ? String(path.dropFirst(6)) : path
  }

  /// Whether it is a write with that method, alone or in a batch.
  package func writes(_ verb: HTTPMethod) -> Bool {
    guard isWrite else { return false }
    let body = String(decoding: body, as: UTF8.self)
    return path == "/batch"
      ? body.contains("\"method\":\"\(verb.rawValue)\"") : method == verb
  }
}
