// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryCurl
package import FerryHTTP
import Foundation
import Synchronization

/// The real transport with short limits, without pauses between attempts, and to another port.
///
/// A prepared store knows its server by one address. So copies of it reach each evil server by this
/// detour.
package final class ImpatientTransport: HTTPTransport {
  /// The limits of each exchange.
  package static let silence: Duration = .milliseconds(300)
  package static let totalTime: Duration = .milliseconds(1500)

  private let port: UInt16
  private let network = CurlTransport()
  private let longest = Mutex(Duration.zero)

  package init(port: UInt16) { self.port = port }

  /// The duration of the longest exchange so far, from the moment when it could begin.
  package var longestExchange: Duration { longest.withLock(\.self) }

  package func run<Failure: Error>(
    _ requests: [HTTPRequest], cancellation: CancellationSignal,
    completed: (HTTPRequest, Result<HTTPResponse, HTTPError>) throws(Failure) -> [HTTPRequest]
  ) throws(Failure) {
    var begun: [Int: ContinuousClock.Instant] = [:]
    func begin(_ requests: [HTTPRequest]) -> [HTTPRequest] {
      for request in requests { begun[request.tag] = .now }
      return requests.map(hurried)
    }
    try network.run(begin(requests), cancellation: cancellation) { sent, result throws(Failure) in
      if let start = begun[sent.tag] {
        let duration = ContinuousClock.now - start
        longest.withLock { $0 = max($0, duration) }
      }
      return begin(try completed(sent, result))
    }
  }

  private func hurried(_ request: HTTPRequest) -> HTTPRequest {
    var request = request
    request.delay = .zero
    request.limits.slowTime = Self.silence
    request.limits.connectTime = Self.silence
    request.limits.totalTime = Self.totalTime
    var parts = URLComponents(url: request.url, resolvingAgainstBaseURL: false)
    parts?.port = Int(port)
    if let url = parts?.url { request.url = url }
    return request
  }
}
