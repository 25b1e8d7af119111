// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

extension HTTPResponse {
  /// How long the server asks to wait before the next request, or nil if it does not say.
  ///
  /// `Retry-After` holds seconds or a date; `X-RateLimit-Reset` the second since 1970 at which the
  /// window ends. Points in time are compared with the server's own clock where the answer shows it.
  package func askedDelay(now: Double) -> Duration? {
    let serverNow = date?.timeIntervalSince1970 ?? now
    if let text = headers["Retry-After"] {
      if let seconds = Double(text) { return delay(seconds) }
      if let moment = HTTPDate.date(from: text) {
        return delay(moment.timeIntervalSince1970 - serverNow)
      }
    }
    // The window's end is told with every answer, but it is a wish to wait only when refused.
    guard let text = headers["X-RateLimit-Reset"], let reset = Double(text),
      headers["X-RateLimit-Remaining"].flatMap(Double.init) ?? 0 <= 0
    else { return nil }
    return delay(reset - serverNow)
  }

  /// A wait of so many seconds; none for what is past, a year for what is absurd.
  private func delay(_ seconds: Double) -> Duration {
    .seconds(seconds.isFinite ? min(max(seconds, 0), 31_536_000) : 31_536_000)
  }
}
