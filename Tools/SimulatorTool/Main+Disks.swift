// Ferry: offline-first sync for Parse Server. MIT licence.

import FerrySimulator
import Foundation

// Scenarios whose disks fail.
extension Main {
  /// Lets disks fail, and prints for each kind how many worlds there are, how many were played, and how many fell.
  ///
  /// - Throws: `Options.Fault` for a scenario or world that does not exist; `Violation` if a scenario breaks a rule
  ///   by itself.
  static func failDisks(_ options: Options) throws -> Bool {
    let scenarios = DiskScenario.all
    if let scenario = options.scenario, !scenarios.indices.contains(scenario) {
      throw Options.Fault(
        "There is no scenario \(scenario). The scenarios are 0 to \(scenarios.count - 1).")
    }
    if let number = options.world { return try replayDisk(number, options) }
    var fell = 0
    for kind in DiskInjection.Kind.allCases where (options.diskKind ?? kind) == kind {
      fell += try play(kind, options)
    }
    return fell == 0
  }

  private static func replayDisk(_ number: UInt64, _ options: Options) throws -> Bool {
    guard let kind = options.diskKind, let scenario = options.scenario else {
      throw Options.Fault(
        "--world needs one kind of failure and one scenario: --disks KIND --scenario S.")
    }
    let injection = try DiskInjection(kind, of: DiskScenario.all[scenario], in: Simulation())
    guard number < injection.count else {
      throw Options.Fault(
        "Scenario \(scenario) has no world \(number) of \(kind). Its worlds are 0 to "
          + "\(injection.count - 1).")
    }
    return replay(injection.world(at: Int(number)), "\(kind) \(scenario) \(number)")
  }

  private static func play(_ kind: DiskInjection.Kind, _ options: Options) throws -> Int {
    let start = ContinuousClock.now
    var (all, tally, fell, scenarios) = (0, Tally(), 0, 0)
    for (number, scenario) in DiskScenario.all.enumerated()
    where (options.scenario ?? number) == number {
      let injection = try DiskInjection(kind, of: scenario, in: Simulation())
      let sample = options.sample(of: injection.count)
      let campaign = Campaign(
        first: sample.first, count: sample.count, step: options.step,
        threads: options.threads, world: { injection.world(at: Int($0)) })
      let (played, failures) = campaign.run { failure in
        say(
          "FELL \(failure.violation.rule.rawValue): \(failure.violation.message)\n     "
            + "ferry-simulate --disks \(kind) --scenario \(number) --world \(failure.number)")
      }
      scenarios += 1
      all += injection.count
      tally.add(played)
      fell += failures.count
    }
    let seconds = Int((ContinuousClock.now - start) / .seconds(1))
    say(
      "| \(kind.rawValue) | \(scenarios) scenarios | \(all) | \(tally.worlds) | \(tally.syncs) "
        + "| \(fell) | \(seconds) s |")
    return fell
  }
}
