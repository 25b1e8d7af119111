// Ferry: offline-first sync for Parse Server. MIT licence.

import FerrySimulator
import Foundation
import PlannerCases

// Tests of the simulator itself.
extension Main {
  /// How many cases of the planners are checked with a bug that no world catches.
  private static let lawCases: UInt64 = 200_000

  /// Plays worlds with each seeded bug, and prints which rule caught it after how many worlds.
  ///
  /// A bug that no world catches may break a law of a planner.
  ///
  /// - Throws: `Options.Fault` for a bug that this build cannot switch on; `Violation` if a day breaks a rule by
  ///   itself.
  static func catchBugs(_ options: Options) throws -> Bool {
    let bugs = options.bugs ?? SeededBug.allCases.filter(\.isAvailable)
    if let unavailable = bugs.first(where: { !$0.isAvailable }) {
      throw Options.Fault(
        "This build cannot switch \(unavailable) on. Use Tools/Scripts/seeded-bugs --only \(unavailable)."
      )
    }
    let hunt = try BugHunt(
      first: options.first ?? 1, count: Int(options.count ?? 1_000),
      seconds: options.seconds ?? .infinity)
    say("| class | bug | caught by | after worlds | world |\n| --- | --- | --- | --- | --- |")
    var areAllCaught = true
    for bug in bugs { areAllCaught = tell(bug, by: hunt) && areAllCaught }
    return areAllCaught
  }

  private static func tell(_ bug: SeededBug, by hunt: BugHunt) -> Bool {
    let result = hunt.run(bug)
    for world in result.unsound {
      say("FELL without a seeded bug: Tools/Scripts/simulate \(world)")
    }
    if let found = result.found {
      tell(bug, "\(found.violation.rule.rawValue) | \(result.worlds) | \(found.world)")
      return true
    }
    if let failure = brokenLaw(by: bug) {
      tell(
        bug,
        "law of the \(failure.planner.rawValue): \(failure.law.sentence) | \(result.worlds) | "
          + "--planners 1 --first \(failure.number)")
      return true
    }
    tell(bug, "nothing | \(result.worlds) | -")
    return false
  }

  private static func tell(_ bug: SeededBug, _ words: String) {
    say("| \(bug.kind) | \(bug): \(bug.rawValue) | \(words) |")
  }

  private static func brokenLaw(by bug: SeededBug) -> PlannerCampaign.Failure? {
    SeededBug.turnOn(bug)
    defer { SeededBug.turnOn(nil) }
    for first in stride(from: 1, to: lawCases, by: 5_000) {
      let failure = PlannerCampaign(first: first, count: 5_000).run().failures.first
      if let failure { return failure }
    }
    return nil
  }

  /// Writes a copy of the package in which the seeded bugs of the engine's code can be switched on.
  ///
  /// - Throws: The error of a file, or a bug whose place is not in the code.
  static func writeSeededSources(to folder: String) throws -> Bool {
    try SeededSources(of: URL(filePath: FileManager.default.currentDirectoryPath))
      .write(to: URL(filePath: folder))
    return true
  }
}
