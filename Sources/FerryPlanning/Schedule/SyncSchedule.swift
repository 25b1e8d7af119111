// Ferry: offline-first sync for Parse Server. MIT licence.

/// When a coordinator that runs by itself syncs; the defaults suit an app that people look at.
///
/// ```swift
/// var schedule = SyncSchedule(interval: .seconds(60))
/// schedule.intervals["Photo"] = .seconds(3600)
/// ```
///
/// A duration below its least counts as the least, and one above a year as a year.
public struct SyncSchedule: Sendable, Equatable {
  /// The time between two syncs that nobody asked for: five minutes, at least one second.
  ///
  /// Each time differs at random by up to a tenth, so that many devices do not ask at once. An hour without any edit
  /// costs one request for each interval and each 50 classes, and one more for each interval with a session or the
  /// master key.
  public var interval: Duration {
    didSet { interval = Self.within(interval, .seconds(1)) }
  }
  /// Other intervals of single classes, by class; each at least one second.
  ///
  /// Names of no class are left aside.
  /// At its start, a coordinator asks for such a class only if its interval is over.
  public var intervals: [String: Duration] = [:] {
    didSet { intervals = intervals.mapValues { Self.within($0, .seconds(1)) } }
  }
  /// How long the app must be quiet after edits until they are sent: one second.
  ///
  /// The first small edit after a quiet time is sent at once.
  public var editDelay: Duration = .seconds(1) {
    didSet { editDelay = Self.within(editDelay, .zero) }
  }
  /// How long edits wait at most while more edits come: ten seconds.
  public var longestEditDelay: Duration = .seconds(10) {
    didSet { longestEditDelay = Self.within(longestEditDelay, .zero) }
  }
  /// The number of changed rows up to which a commit counts as a small edit: 20.
  public var smallEdit = 20
  /// The pause after a sync that failed: five seconds, at least one second.
  ///
  /// It doubles with each further failure, and differs at random by up to a half.
  public var shortestPause: Duration = .seconds(5) {
    didSet { shortestPause = Self.within(shortestPause, .seconds(1)) }
  }
  /// The longest of these pauses: 15 minutes, at least one second.
  ///
  /// A server that asks for a longer one gets it, up to an hour.
  public var longestPause: Duration = .seconds(900) {
    didSet { longestPause = Self.within(longestPause, .seconds(1)) }
  }

  /// The defaults, perhaps with another time between two syncs.
  ///
  /// ```swift
  /// let syncing = Task { await coordinator.run(SyncSchedule(interval: .seconds(60))) }
  /// ```
  ///
  /// - Parameter interval: The time between two syncs that nobody asked for: five minutes, at least one second.
  public init(interval: Duration = .seconds(300)) {
    self.interval = Self.within(interval, .seconds(1))
  }

  private static func within(_ duration: Duration, _ least: Duration) -> Duration {
    min(max(duration, least), .seconds(31_536_000))
  }
}
