// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

extension HTTPResponse {
  /// How long the server asks the client to wait before the next request; nil if it does not say.
  ///
  /// `Retry-After` holds seconds or a date. `X-RateLimit-Reset` holds the second since 1970 at
  /// which the window ends. This function compares dates with the server's own clock if the answer
  /// shows it.
  package func askedDelay(now: Double) -> Duration? {
    let serverNow = date?.timeIntervalSince1970 ?? now
    if let text = headers["Retry-After"] {
      if let seconds = Double(text) { return delay(seconds) }
      if let moment = HTTPDate.date(from: text) {
        return delay(moment.timeIntervalSince1970 - serverNow)
      }
    }
    // The server reports the window's end with every answer; it matters only in a refusal.
    guard let text = headers["X-RateLimit-Reset"], let reset = Double(text),
      headers["X-RateLimit-Remaining"].flatMap(Double.init) ?? 0 <= 0
    else { return nil }
    return delay(reset - serverNow)
  }

  /// A delay of that many seconds; zero for a time in the past, at most a year.
  private func delay(_ seconds: Double) -> Duration {
    .seconds(seconds.isFinite ? min(max(seconds, 0), 31_536_000) : 31_536_000)
  }
}
