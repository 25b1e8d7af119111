// Ferry: offline-first sync for Parse Server. MIT licence.

/// Decides which failed requests are repeated, and after how long.
///
/// A pure value: time and random numbers are arguments. It repeats reads after failures that may
/// pass: no connection, a lost connection, a timeout, and the statuses 408, 429 and 5xx except 501.
/// It repeats a write only if the server cannot have carried it out: no byte of it left this device,
/// or the server refused it for its rate limit.
package struct RetryPolicy: Hashable, Sendable {
  /// The greatest number of attempts, including the first; five by default, one for no repetition.
  package var attempts = 5
  /// The delay before the second attempt, doubled for each further attempt; 0.5 s by default.
  package var firstDelay: Duration = .milliseconds(500)
  /// The longest delay of Ferry's own choice, 30 s by default; a server may ask for a longer one.
  package var longestDelay: Duration = .seconds(30)
  /// The longest time from the first attempt until the last one begins; 120 s by default.
  package var totalTime: Duration = .seconds(120)

  /// Makes a policy with the defaults.
  package init() {}

  /// The policy's decision about a request that ended.
  package enum Decision: Hashable, Sendable {
    /// Return the result.
    case giveUp
    /// Send again after this time.
    case retry(after: Duration)
  }

  /// How an attempt ended.
  package struct Ending: Sendable {
    /// The attempt's result.
    package var result: Result<HTTPResponse, HTTPError>
    /// Whether the request was a write.
    package var isWrite: Bool
    /// Whether the answer is a refusal for a rate limit, even if its status does not show that.
    package var isRateLimited: Bool
    /// The number of attempts, including this one.
    package var attempt: Int
    /// The time since the first attempt began, including all delays.
    package var elapsed: Duration

    /// Describes the end of an attempt.
    package init(
      _ result: Result<HTTPResponse, HTTPError>, isWrite: Bool, isRateLimited: Bool = false,
      attempt: Int, elapsed: Duration = .zero
    ) {
      self.result = result
      self.isWrite = isWrite
      self.isRateLimited = isRateLimited
      self.attempt = attempt
      self.elapsed = elapsed
    }
  }

  /// Decides about an attempt that ended.
  ///
  /// - Parameters:
  ///   - ending: How the attempt ended.
  ///   - jitter: A random number from 0 up to 1, which spreads the retries of many clients.
  ///   - now: The time in seconds since 1970, used only if the server did not send its own.
  /// - Returns: Whether to send again, and when.
  package func decision(for ending: Ending, jitter: Double, now: Double) -> Decision {
    guard ending.attempt < attempts, isWorthRepeating(ending) else { return .giveUp }
    var delay = backOff(attempt: ending.attempt, jitter: jitter)
    if case .success(let response) = ending.result,
      let asked = response.askedDelay(now: now)
    {
      // Never earlier than the server asked; the jitter is added to that.
      delay = max(delay, asked + firstDelay * jitter)
    }
    return ending.elapsed + delay <= totalTime ? .retry(after: delay) : .giveUp
  }

  private func isWorthRepeating(_ ending: Ending) -> Bool {
    switch ending.result {
    case .success(let response):
      if ending.isRateLimited || response.status == 429 { return true }
      // A server that answers 501 can never do it.
      let mayPass = (500...599).contains(response.status) && response.status != 501
      return !ending.isWrite && (response.status == 408 || mayPass)
    case .failure(let error):
      return error.code.mayPass && (!ending.isWrite || error.outcome == .notSent)
    }
  }

  /// Half of the step, plus a random part of the other half.
  private func backOff(attempt: Int, jitter: Double) -> Duration {
    let step = firstDelay * Double(1 << min(attempt - 1, 20))
    return min(step, longestDelay) * (0.5 + jitter / 2)
  }
}

extension HTTPError.Code {
  /// Whether the server was not found, or took no connection.
  var isWithoutConnection: Bool { self == .couldNotResolve || self == .couldNotConnect }

  /// Whether the same request may succeed later by itself.
  fileprivate var mayPass: Bool {
    switch self {
    case .couldNotResolve, .couldNotConnect, .timeout, .connectionLost: true
    default: false
    }
  }
}
