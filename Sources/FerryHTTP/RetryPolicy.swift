// Ferry: offline-first sync for Parse Server. MIT licence.

/// Says which endings of a request are worth another attempt, and after how long.
///
/// A pure value: it reads no clock and rolls no dice; both come in. Reads are tried again after
/// whatever may pass by itself: no connection, a lost one, a timeout, 408, 429 and 5xx. A write is
/// tried again only when it surely was not carried out: no byte of it can have left, or the server
/// refused it for its rate limit.
///
/// ```swift
/// var patient = RetryPolicy()
/// patient.attempts = 10
/// ```
public struct RetryPolicy: Hashable, Sendable {
  /// The most attempts in all, the first included; five by default, one for no repetition.
  public var attempts = 5
  /// The wait before the second attempt, doubled for each one after it; 0.5 s by default.
  public var firstDelay: Duration = .milliseconds(500)
  /// The longest wait of Ferry's own choice, 30 s by default; a server may ask for a longer one.
  public var longestDelay: Duration = .seconds(30)
  /// The longest time spent waiting for one request, all waits together; 120 s by default.
  public var totalDelay: Duration = .seconds(120)

  /// Makes a policy with the defaults.
  public init() {}

  /// What to do next.
  public enum Decision: Hashable, Sendable {
    /// Hand the result on.
    case giveUp
    /// Send again when this time has passed.
    case retry(after: Duration)
  }

  /// What is known about an attempt that ended.
  public struct Ending: Sendable {
    /// How it ended.
    public var result: Result<HTTPResponse, HTTPError>
    /// Whether the request was a write.
    public var isWrite: Bool
    /// Whether the answer is a refusal for a rate limit in a form that its status does not show.
    public var isRateLimited: Bool
    /// How many attempts there have been, this one included.
    public var attempt: Int
    /// How long was waited before this attempt, all waits together.
    public var waited: Duration

    /// Makes the ending of an attempt.
    public init(
      _ result: Result<HTTPResponse, HTTPError>, isWrite: Bool, isRateLimited: Bool = false,
      attempt: Int, waited: Duration = .zero
    ) {
      self.result = result
      self.isWrite = isWrite
      self.isRateLimited = isRateLimited
      self.attempt = attempt
      self.waited = waited
    }
  }

  /// Decides about one ending.
  ///
  /// - Parameters:
  ///   - ending: How the attempt ended.
  ///   - jitter: A random number from 0 up to 1, which keeps clients from coming back in step.
  ///   - now: The time in seconds since 1970; used only where the server did not say its own.
  /// - Returns: Whether to send again, and when.
  public func decision(for ending: Ending, jitter: Double, now: Double) -> Decision {
    guard ending.attempt < attempts, isWorthRepeating(ending) else { return .giveUp }
    var delay = backOff(attempt: ending.attempt, jitter: jitter)
    if case .success(let response) = ending.result,
      let asked = response.askedDelay(now: now)
    {
      // Never earlier than asked; the jitter comes on top.
      delay = max(delay, asked + firstDelay * jitter)
    }
    return ending.waited + delay <= totalDelay ? .retry(after: delay) : .giveUp
  }

  private func isWorthRepeating(_ ending: Ending) -> Bool {
    switch ending.result {
    case .success(let response):
      if ending.isRateLimited || response.status == 429 { return true }
      return !ending.isWrite && (response.status == 408 || (500...599).contains(response.status))
    case .failure(let error):
      return error.code.mayPass && (!ending.isWrite || error.outcome == .notSent)
    }
  }

  /// Half of the step surely, the other half by chance.
  private func backOff(attempt: Int, jitter: Double) -> Duration {
    let step = firstDelay * Double(1 << min(attempt - 1, 20))
    return min(step, longestDelay) * (0.5 + jitter / 2)
  }
}

extension HTTPError.Code {
  /// Whether the same request may succeed later without anybody changing anything.
  fileprivate var mayPass: Bool {
    switch self {
    case .couldNotResolve, .couldNotConnect, .timeout, .connectionLost: true
    default: false
    }
  }
}
