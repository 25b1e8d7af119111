// Ferry: offline-first sync for Parse Server. MIT licence.

import FerrySimulator
import Foundation

// All short courses of events.
extension Main {
  /// Plays courses of the small scope, each with a failure of each request, and prints what fell.
  ///
  /// - Throws: `Options.Fault` for a course or world that does not exist.
  static func playSmallScope(_ options: Options) throws -> Bool {
    let scope = SmallScope()
    if let course = options.course { return try play(course, of: scope, options) }
    let start = ContinuousClock.now
    let first = options.first ?? UInt64.random(in: 0..<options.step)
    let campaign = Campaign(
      first: first, count: UInt64(max(scope.count - Int(first), 0)), step: options.step,
      deadline: options.seconds.map { Date(timeIntervalSinceNow: $0) }, threads: options.threads,
      world: { scope.world(at: Int($0)) },
      variations: { SmallScope.variations(of: $0, in: $1) })
    say("Courses from \(first) on, one of \(options.step) of \(scope.count).")
    let (tally, failures) = campaign.run { failure in
      say(
        "FELL \(failure.violation.rule.rawValue): \(failure.violation.message)\n     "
          + "ferry-simulate --small-scope --course \(failure.number) --world \(failure.variation)")
    }
    let seconds = Int((ContinuousClock.now - start) / .seconds(1))
    say("| \(tally.worlds) worlds | \(tally.syncs) syncs | \(failures.count) fell | \(seconds) s |")
    return failures.isEmpty
  }

  private static func play(
    _ course: UInt64, of scope: SmallScope, _ options: Options
  ) throws -> Bool {
    guard course < scope.count else {
      throw Options.Fault(
        "There is no course \(course). The courses are 0 to \(scope.count - 1).")
    }
    let worlds = SmallScope.variations(of: scope.world(at: Int(course)), in: Simulation())
    if let world = options.world, world >= worlds.count {
      throw Options.Fault("Course \(course) has the worlds 0 to \(worlds.count - 1).")
    }
    var areAllSound = true
    for (number, world) in worlds.enumerated() where (options.world ?? UInt64(number)) == number {
      areAllSound = replay(world, "course \(course), world \(number)") && areAllSound
    }
    return areAllSound
  }
}
