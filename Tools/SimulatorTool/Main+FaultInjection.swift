// Ferry: offline-first sync for Parse Server. MIT licence.

import FerrySimulator

// One day of work, with one failure at each moment.
extension Main {
  /// Injects failures, and prints for each kind how many worlds there are, how many were played, and how many fell.
  ///
  /// - Throws: `Options.Fault` for a day or world that does not exist; `Violation` if a day breaks a rule by
  ///   itself.
  static func inject(_ options: Options) throws -> Bool {
    if let day = options.day, !World.workingDays.indices.contains(day) {
      throw Options.Fault(
        "There is no day \(day). The days are 0 to \(World.workingDays.count - 1).")
    }
    if let number = options.world { return try replay(number, options) }
    var fell = 0
    for (day, base) in World.workingDays.enumerated() where (options.day ?? day) == day {
      for kind in FaultInjection.Kind.allCases where (options.kind ?? kind) == kind {
        fell += play(
          try FaultInjection(
            kind, of: base, atWritesAlone: options.atWritesAlone, in: Simulation()), day: day,
          options)
      }
    }
    return fell == 0
  }

  /// Plays one world of a kind.
  private static func replay(_ number: UInt64, _ options: Options) throws -> Bool {
    guard let kind = options.kind else {
      throw Options.Fault("--world needs one kind of failure: --inject KIND.")
    }
    let day = options.day ?? 0
    let injection = try FaultInjection(
      kind, of: World.workingDays[day], atWritesAlone: options.atWritesAlone, in: Simulation())
    guard number < injection.count else {
      throw Options.Fault(
        "Day \(day) has no world \(number) of \(kind). Its worlds are 0 to \(injection.count - 1).")
    }
    return replay(injection.world(at: Int(number)), "\(kind) \(number)")
  }

  private static func play(_ injection: FaultInjection, day: Int, _ options: Options) -> Int {
    let start = ContinuousClock.now
    let sample = options.sample(of: injection.count)
    let campaign = Campaign(
      first: sample.first, count: sample.count, step: options.step,
      threads: options.threads, world: { injection.world(at: Int($0)) })
    let (tally, failures) = campaign.run { failure in
      say(
        "FELL \(failure.violation.rule.rawValue): \(failure.violation.message)\n     "
          + "ferry-simulate --inject \(injection.kind)\(options.atWritesAlone ? " --writes" : "") --day \(day) --world \(failure.number)"
      )
    }
    let seconds = Int((ContinuousClock.now - start) / .seconds(1))
    say(
      "| \(injection.kind.rawValue) | day \(day) | \(injection.count) | \(tally.worlds) | "
        + "\(tally.syncs) | \(failures.count) | \(seconds) s |")
    return failures.count
  }
}
