// Ferry: offline-first sync for Parse Server. MIT licence.

import PlannerCases

// Generated cases of the planners.
extension Main {
  /// Checks cases, and prints how many each planner had, how long one took, and which laws fell.
  static func checkPlanners(_ count: UInt64, _ options: Options) -> Bool {
    let first = options.first ?? UInt64.random(in: 1...UInt64(UInt32.max))
    say("\(count) cases of the planners from \(first) on, \(options.threads) at a time.")
    let start = ContinuousClock.now
    let (tallies, failures) = PlannerCampaign(first: first, count: count, threads: options.threads)
      .run()
    for failure in failures {
      say(
        "FELL case \(failure.number), \(failure.planner.rawValue), \(failure.law)\n     "
          + "Tools/Scripts/simulate --planners 1 --first \(failure.number)")
    }
    say("| planner | cases | microseconds a case | fell |\n| --- | --- | --- | --- |")
    for planner in Planner.allCases {
      guard let tally = tallies[planner] else { continue }
      let time = tally.time / .microseconds(max(tally.cases, 1))
      say(
        "| \(planner.rawValue) | \(tally.cases) | \((time * 10).rounded() / 10) | "
          + "\(failures.count { $0.planner == planner }) |")
    }
    say("\(Int((ContinuousClock.now - start) / .seconds(1))) s")
    return failures.isEmpty
  }
}
