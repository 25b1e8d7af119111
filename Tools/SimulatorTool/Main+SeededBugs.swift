// Ferry: offline-first sync for Parse Server. MIT licence.

import FerrySimulator
import Foundation

// Tests of the simulator itself.
extension Main {
  /// Plays worlds with each seeded bug, and prints which rule caught it after how many worlds.
  static func catchBugs(_ options: Options) -> Bool {
    let bugs = options.bugs ?? SeededBug.allCases.filter(\.isAvailable)
    if let unavailable = bugs.first(where: { !$0.isAvailable }) {
      say("This build cannot switch \(unavailable) on. Tools/Scripts/seeded-bugs can.")
      return false
    }
    do {
      let hunt = try BugHunt(
        first: options.first ?? 1, count: Int(options.count),
        seconds: options.seconds ?? .infinity)
      say("| class | bug | caught by | after worlds | world |\n| --- | --- | --- | --- | --- |")
      var areAllCaught = true
      for bug in bugs { areAllCaught = tell(bug, by: hunt) && areAllCaught }
      return areAllCaught
    } catch {
      say("A day of work breaks a rule without any failure. \(error)")
      return false
    }
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
  static func writeSeededSources(to folder: String) -> Bool {
    do {
      try SeededSources(of: URL(filePath: FileManager.default.currentDirectoryPath))
        .write(to: URL(filePath: folder))
      return true
    } catch {
      say("The copy was not written. \(error)")
      return false
    }
  }
}
