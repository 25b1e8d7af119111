// Ferry: offline-first sync for Parse Server. MIT licence.

extension LoopbackBackend {
  /// Counts a request against each limit that covers it; tells the client by headers how many it has
  /// left, and refuses it when it has none.
  mutating func countRequest(
    _ method: String, _ path: String, _ caller: Credentials, at stamp: Instant,
    _ headers: inout LoopbackHeaders
  ) throws(Refusal) {
    guard !caller.isMaster else { return }
    for limit in configuration.rateLimits where limit.covers(method, path) {
      let window = count(limit, at: stamp)
      let end = window.start.milliseconds + Int64(limit.seconds) * 1000
      headers["X-RateLimit-Limit"] = String(limit.count)
      headers["X-RateLimit-Remaining"] = String(max(0, limit.count - window.count))
      headers["X-RateLimit-Reset"] = String((end + 999) / 1000)
      guard window.count > limit.count else { continue }
      headers["Retry-After"] = String((end - stamp.milliseconds + 999) / 1000)
      throw .tooManyRequests(429, limit.message)
    }
  }

  /// Counts the operations of a batch, all of them before the first is carried out.
  mutating func countOperations(
    _ operations: [(method: String, path: String)], _ call: Call
  ) throws(Refusal) {
    guard !call.caller.isMaster else { return }
    for limit in configuration.rateLimits {
      for operation in operations where limit.covers(operation.method, operation.path) {
        guard count(limit, at: call.stamp).count <= limit.count else {
          throw .tooManyRequests(400, limit.message)
        }
      }
    }
  }

  private mutating func count(_ limit: LoopbackRateLimit, at stamp: Instant) -> RateWindow {
    var window = rateWindows[limit] ?? RateWindow(start: stamp)
    if stamp.milliseconds - window.start.milliseconds >= Int64(limit.seconds) * 1000 {
      window = RateWindow(start: stamp)
    }
    window.count += 1
    rateWindows[limit] = window
    return window
  }
}
