// Ferry: offline-first sync for Parse Server. MIT licence.

import FerrySimulator
import Foundation

// All short courses of events.
extension Main {
  /// Plays courses of the small scope, each with failures of its requests, and prints what fell.
  ///
  /// - Throws: `Options.Fault` for a course or world that does not exist, or too many failures.
  static func playSmallScope(_ options: Options) throws -> Bool {
    guard (0...SmallScope.mostFailures).contains(options.failures) else {
      throw Options.Fault("--failures needs a number from 0 to \(SmallScope.mostFailures).")
    }
    guard (1...SmallScope.longest).contains(options.events) else {
      throw Options.Fault("--events needs a number from 1 to \(SmallScope.longest).")
    }
    let scope = SmallScope(longest: options.events)
    if let course = options.course { return try play(course, of: scope, options) }
    let start = ContinuousClock.now
    let sample = options.sample(of: scope.count)
    let campaign = Campaign(
      first: sample.first, count: sample.count, step: options.step,
      deadline: options.seconds.map { Date(timeIntervalSinceNow: $0) }, threads: options.threads,
      world: { scope.world(at: Int($0)) },
      variations: {
        SmallScope.variations(of: $0, failures: options.failures, in: $1)
      })
    say("Courses from \(sample.first) on, one of \(options.step) of \(scope.count).")
    let (tally, failures) = campaign.run { failure in
      say(
        "FELL \(failure.violation.rule.rawValue): \(failure.violation.message)\n     "
          + "ferry-simulate --small-scope --failures \(options.failures) --course \(failure.number) --world \(failure.variation)"
      )
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
    let worlds = SmallScope.variations(
      of: scope.world(at: Int(course)), failures: options.failures, in: Simulation())
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
