// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// A transport that repeats failed requests according to a policy.
///
/// It never sleeps. It hands a repeated request back to the transport below with a delay, so other
/// requests continue meanwhile.
package struct RetryingTransport: HTTPTransport {
  /// An attempt that failed and will be repeated.
  package struct Retry: Sendable {
    /// The request, as the caller gave it.
    package var request: HTTPRequest
    /// The number of attempts so far.
    package var attempt: Int
    /// The delay before the next attempt.
    package var delay: Duration
    /// How the attempt ended.
    package var result: Result<HTTPResponse, HTTPError>
  }

  /// Where the transport takes random numbers and time from.
  package struct Surroundings: Sendable {
    /// Returns a number from 0 up to 1.
    package var jitter: @Sendable () -> Double
    /// Returns the seconds since 1970.
    package var now: @Sendable () -> Double
    /// Gives seconds that only go forward, to measure how long a request takes.
    package var uptime: @Sendable () -> Double

    /// Makes surroundings; the defaults are those of the machine.
    package init(
      jitter: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
      now: @escaping @Sendable () -> Double = { Date.now.timeIntervalSince1970 },
      uptime: @escaping @Sendable () -> Double = { ProcessInfo.processInfo.systemUptime }
    ) {
      self.jitter = jitter
      self.now = now
      self.uptime = uptime
    }
  }

  private let transport: any HTTPTransport
  private let policy: RetryPolicy
  private let surroundings: Surroundings
  private let isRateLimited: @Sendable (HTTPResponse) -> Bool
  private let mayReconnect: @Sendable () -> Bool
  private let observer: @Sendable (Retry) -> Void

  /// Adds repetition to a transport.
  ///
  /// - Parameters:
  ///   - transport: The transport that sends.
  ///   - policy: Which requests are repeated, and after how long.
  ///   - surroundings: The source of random numbers and time.
  ///   - isRateLimited: Whether an answer with a status other than 429 is a refusal for a rate
  ///     limit that the server gave before it did anything. Finding out takes reading the body.
  ///   - mayReconnect: Whether a request that found no connection is repeated.
  ///   - observer: Receives every repetition, on the thread that runs the requests.
  package init(
    _ transport: any HTTPTransport,
    policy: RetryPolicy = RetryPolicy(),
    surroundings: Surroundings = Surroundings(),
    isRateLimited: @escaping @Sendable (HTTPResponse) -> Bool = { _ in false },
    mayReconnect: @escaping @Sendable () -> Bool = { true },
    observer: @escaping @Sendable (Retry) -> Void = { _ in }
  ) {
    self.transport = transport
    self.policy = policy
    self.surroundings = surroundings
    self.isRateLimited = isRateLimited
    self.mayReconnect = mayReconnect
    self.observer = observer
  }

  /// Sends requests and repeats them by the policy; `completed` receives only the last attempts.
  package func run<Failure: Error>(
    _ requests: [HTTPRequest], cancellation: CancellationSignal,
    completed: (HTTPRequest, Result<HTTPResponse, HTTPError>) throws(Failure) -> [HTTPRequest]
  ) throws(Failure) {
    var attempts = Attempts()
    let first = requests.map { attempts.begin($0, at: surroundings.uptime()) }
    try transport.run(first, cancellation: cancellation) { sent, result throws(Failure) in
      var attempt = attempts.end(sent)
      if let delay = delay(after: attempt, result) {
        attempt.number += 1
        return [attempts.begin(attempt, delay: delay)]
      }
      return try completed(attempt.request, result).map {
        attempts.begin($0, at: surroundings.uptime())
      }
    }
  }

  /// The delay before another attempt, or nil for none.
  private func delay(
    after attempt: Attempt, _ result: Result<HTTPResponse, HTTPError>
  ) -> Duration? {
    if case .failure(let error) = result, error.code.isWithoutConnection, !mayReconnect() {
      return nil
    }
    let limited = (try? result.get()).map(isRateLimited) ?? false
    let ending = RetryPolicy.Ending(
      result, isWrite: attempt.request.isWrite, isRateLimited: limited, attempt: attempt.number,
      elapsed: .seconds(max(surroundings.uptime() - attempt.start, 0)))
    let decision = policy.decision(
      for: ending, jitter: surroundings.jitter(), now: surroundings.now())
    guard case .retry(let delay) = decision else { return nil }
    observer(
      Retry(request: attempt.request, attempt: attempt.number, delay: delay, result: result))
    return delay
  }
}

/// A request in progress and its attempts so far.
private struct Attempt {
  let request: HTTPRequest
  /// When its first attempt may leave.
  let start: Double
  var number = 1
}

/// The requests in progress in one run, by a tag of this transport: the caller's tags need not be
/// unique.
private struct Attempts {
  private var byTag: [Int: Attempt] = [:]
  private var lastTag = 0

  mutating func begin(_ request: HTTPRequest, at uptime: Double) -> HTTPRequest {
    let start = uptime + request.delay / .seconds(1)
    return begin(Attempt(request: request, start: start), delay: request.delay)
  }

  mutating func begin(_ attempt: Attempt, delay: Duration) -> HTTPRequest {
    lastTag += 1
    byTag[lastTag] = attempt
    var tagged = attempt.request
    tagged.tag = lastTag
    tagged.delay = delay
    return tagged
  }

  mutating func end(_ sent: HTTPRequest) -> Attempt {
    byTag.removeValue(forKey: sent.tag) ?? Attempt(request: sent, start: .infinity)
  }
}
