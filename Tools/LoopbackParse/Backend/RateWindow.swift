// Ferry: offline-first sync for Parse Server. MIT licence.

/// How often a limited address was asked for since a moment.
struct RateWindow: Sendable {
  var start: Instant
  var count = 0
}
