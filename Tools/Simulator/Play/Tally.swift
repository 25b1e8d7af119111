// Ferry: offline-first sync for Parse Server. MIT licence.

/// How much was tried, and how often.
public struct Tally: Sendable, Equatable {
  /// Worlds that were played.
  public var worlds = 0
  /// Syncs, with those of the end.
  public var syncs = 0
  /// Plans.
  public var plans = 0
  /// Runs of the engine: each sync and each plan is one interleaving of its steps with all that happens before
  /// it and meanwhile.
  public var runs: Int { syncs + plans }
  /// Moments of syncs at which something else could happen.
  public var moments = 0
  /// Requests that left.
  public var requests = 0
  /// What happened, in words, and how often.
  public var happenings: [String: Int] = [:]

  /// Nothing.
  public init() {}

  mutating func count(_ course: Course, requests: Int) {
    syncs += 1
    moments += course.moments
    self.requests += requests
  }

  mutating func count(_ happening: String, isWithinSync: Bool) {
    happenings[isWithinSync ? "\(happening) within a sync" : happening, default: 0] += 1
  }

  /// Adds what another play tried.
  public mutating func add(_ other: Tally) {
    worlds += other.worlds
    syncs += other.syncs
    plans += other.plans
    moments += other.moments
    requests += other.requests
    happenings.merge(other.happenings, uniquingKeysWith: +)
  }
}
