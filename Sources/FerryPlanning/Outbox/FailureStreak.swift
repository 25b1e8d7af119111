// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// The failures of a change's attempts since its last success.
///
/// A refusal is none: it parks the change. A failure leaves open whether a further attempt succeeds.
package struct FailureStreak: Sendable, Equatable {
  /// The longest pause between two attempts.
  static let longestPause = Duration.seconds(3600)
  /// How many failures need no pause: a bad network loses that many answers in a row.
  static let failuresWithoutPause = 4

  /// How many attempts failed.
  package private(set) var count = 0
  /// Whether the newest attempt failed as part of a batch, so that any write of the batch may be the cause.
  ///
  /// Such a change goes alone from then on. So a change that always fails keeps the others waiting
  /// for one sync at most.
  package private(set) var isShared = false
  /// The time before which the change is not sent again; nil for none.
  private var pause: Timestamp?

  package init() {}

  /// Counts a failure; a failure of the change alone may begin a pause.
  ///
  /// From the fifth failure on, a pause lasts up to 1 s, 4 s, 16 s and so on, up to an hour, and at least half of that.
  ///
  /// - Parameters:
  ///   - isShared: Whether a whole batch failed, rather than this write alone.
  ///   - now: The present time.
  package mutating func add(isShared: Bool, at now: Timestamp) {
    count += 1
    // A change that goes alone stays alone until it succeeds.
    self.isShared = self.isShared || isShared
    guard !isShared, count > Self.failuresWithoutPause else { return }
    let step = min(count - Self.failuresWithoutPause - 1, 6)
    let longest = min(.seconds(1 << (2 * step)), Self.longestPause)
    pause = now.adding(longest * (0.5 + Self.spread(at: now) / 2))
  }

  /// Begins a pause that no failure of the change caused, or makes it longer.
  package mutating func pause(until end: Timestamp) { pause = pause.map { max($0, end) } ?? end }

  /// A number from 0 up to 1, so that devices which failed together do not come back together.
  ///
  /// The milliseconds of a failure are as good as a random number, and leave this a pure value.
  private static func spread(at now: Timestamp) -> Double {
    let mixed = UInt64(bitPattern: now.milliseconds) &* 0x9E37_79B9_7F4A_7C15
    return Double(mixed >> 11) / Double(1 << 53)
  }

  /// Whether a failure began a pause, which may be over by now.
  package var isPausing: Bool { pause != nil }

  /// The end of the pause; nil if there is none, or if it is over.
  package func pauseEnd(after now: Timestamp) -> Timestamp? {
    pause.flatMap { $0 > now ? $0 : nil }
  }

  /// The app edited the record, which may cure it: it is due at once.
  package mutating func endPause() { pause = nil }

  /// Shortens a pause that seems longer than any, because the clock was set back since.
  package mutating func trustClock(at now: Timestamp) {
    pause = pause.map { min($0, now.adding(Self.longestPause)) }
  }
}

extension FailureStreak: Note {
  package init(from json: inout JSONText) throws(JSONText.Malformed) {
    try json.members { json, name throws(JSONText.Malformed) in
      switch name {
      case "count": count = Int(try json.integer())
      case "isShared": isShared = try json.boolean()
      case "pause": pause = try json.timestamp()
      default: try json.skip()
      }
    }
  }

  package func write(to json: inout WireJSON) {
    json.object { json in
      json.member("count", Int64(count))
      json.member("isShared", isShared)
      json.member("pause", pause)
    }
  }
}
