// Ferry: offline-first sync for Parse Server. MIT licence.

import FerrySimulator
import Foundation

// Tests of the simulator itself.
extension Main {
  /// Plays worlds with each seeded bug, and prints which rule caught it after how many worlds.
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
      first: options.first ?? 1, count: Int(options.count), seconds: options.seconds ?? .infinity)
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
    let words =
      result.found.map { "\($0.violation.rule.rawValue) | \(result.worlds) | \($0.world)" }
      ?? "nothing | \(result.worlds) | -"
    say("| \(bug.kind) | \(bug): \(bug.rawValue) | \(words) |")
    return result.found != nil
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
