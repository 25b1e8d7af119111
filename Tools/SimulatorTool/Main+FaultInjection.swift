// Ferry: offline-first sync for Parse Server. MIT licence.

import FerrySimulator

// One day of work, with one failure at each moment.
extension Main {
  /// Injects failures, and prints for each kind how many worlds there are, how many were played, and how many fell.
  static func inject(_ options: Options) -> Bool {
    do {
      var fell = 0
      for (day, base) in World.workingDays.enumerated() {
        for kind in FaultInjection.Kind.allCases where options.kind ?? kind == kind {
          let injection = try FaultInjection(kind, of: base, in: Simulation())
          if let number = options.world {
            guard (options.day ?? 0) == day, number < injection.count else { continue }
            return replay(injection.world(at: Int(number)), "\(kind) \(number)")
          }
          fell += play(injection, day: day, options)
        }
      }
      return fell == 0
    } catch {
      say("The day itself breaks a rule. \(error)")
      return false
    }
  }

  private static func play(_ injection: FaultInjection, day: Int, _ options: Options) -> Int {
    let start = ContinuousClock.now
    let first = UInt64.random(in: 0..<options.step)
    let campaign = Campaign(
      first: first, count: UInt64(max(injection.count - Int(first), 0)), step: options.step,
      threads: options.threads, world: { injection.world(at: Int($0)) })
    let (tally, failures) = campaign.run { failure in
      say(
        "FELL \(failure.violation.rule.rawValue): \(failure.violation.message)\n     "
          + "ferry-simulate --inject \(injection.kind) --day \(day) --world \(failure.number)")
    }
    let seconds = Int((ContinuousClock.now - start) / .seconds(1))
    say(
      "| \(injection.kind.rawValue) | day \(day) | \(injection.count) | \(tally.worlds) | "
        + "\(tally.syncs) | \(failures.count) | \(seconds) s |")
    return failures.count
  }
}
