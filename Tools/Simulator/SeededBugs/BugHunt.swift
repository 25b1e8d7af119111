// Ferry: offline-first sync for Parse Server. MIT licence.

package import Foundation
import Randomness

/// Plays worlds with a seeded bug until a rule catches it.
///
/// Every other world comes from a seed. The others are days of work with one injected failure, half of them with a
/// failure that suits the class of the bug.
package struct BugHunt {
  /// The world that caught a bug.
  package struct Catch {
    /// The rule that it broke.
    package var violation: Violation
    /// The world, as the options of `ferry-simulate` name it.
    package var world: String
  }

  /// The result of a hunt.
  package struct Result {
    /// The world that caught the bug; nil if none did.
    package var found: Catch?
    /// How many worlds were played.
    package var worlds = 0
    /// The worlds that break a rule without the bug, too: each is a fault of the engine or of a rule.
    package var unsound: [String] = []
  }

  private let first: UInt64
  private let count: Int
  private let seconds: Double
  private let folder: URL
  private let injections: [Injected]

  /// The failures of a kind on a day.
  private struct Injected {
    var day: Int
    var injection: FaultInjection
    /// Whether the failure hits only requests that write.
    var isOfWrites: Bool
  }

  /// Prepares hunts.
  ///
  /// - Parameters:
  ///   - first: The first seed.
  ///   - count: The number of worlds to play at most for a bug.
  ///   - seconds: The time of the processor after which no further world begins for a bug.
  ///   - folder: Where the devices' files go.
  /// - Throws: `Violation` if a day of work breaks a rule without any failure.
  package init(
    first: UInt64, count: Int, seconds: Double = .infinity,
    folder: URL = Simulation.standardFolder
  ) throws(Violation) {
    self.first = first
    self.count = count
    self.seconds = seconds
    self.folder = folder
    var injections: [Injected] = []
    let simulation = Simulation(folder: folder)
    for (day, base) in World.workingDays.enumerated() {
      for kind in FaultInjection.Kind.allCases {
        for isOfWrites in [true, false] {
          let injection = try FaultInjection(
            kind, of: base, atWritesAlone: isOfWrites, in: simulation)
          injections.append(Injected(day: day, injection: injection, isOfWrites: isOfWrites))
        }
      }
    }
    self.injections = injections
  }

  /// Plays worlds until one catches the bug.
  package func run(_ bug: SeededBug) -> Result {
    let start = Self.processorSeconds
    var result = Result()
    while result.worlds < count, Self.processorSeconds - start < seconds {
      let (world, name) = world(result.worlds, for: bug)
      result.worlds += 1
      guard let violation = Simulation(with: bug, folder: folder).play(world).violation else {
        continue
      }
      // A world in which the engine itself breaks a rule shows nothing.
      guard Simulation(folder: folder).play(world).violation == nil else {
        result.unsound.append(name)
        continue
      }
      result.found = Catch(violation: violation, world: name)
      break
    }
    return result
  }

  /// The time that the processor has worked for this process.
  private static var processorSeconds: Double { Double(clock()) / Double(CLOCKS_PER_SEC) }

  private func world(_ number: Int, for bug: SeededBug) -> (World, name: String) {
    let seed = first + UInt64(number)
    guard number % 2 == 1 else { return (World(seed: seed), "--seed \(seed)") }
    var chance = Chance(seed: seed)
    let isSuited = number % 4 == 1
    let chosen = chance.pick(
      injections.filter { injected in
        isSuited
          ? injected.isOfWrites && bug.suitedInjections.contains(injected.injection.kind)
          : !injected.isOfWrites
      })
    let place = chance.number(below: chosen.injection.count)
    let scope = chosen.isOfWrites ? " --writes" : ""
    return (
      chosen.injection.world(at: place),
      "--inject \(chosen.injection.kind)\(scope) --day \(chosen.day) --world \(place)"
    )
  }
}

extension SeededBug {
  /// The kinds of failures that may show a bug of this class.
  fileprivate var suitedInjections: Set<FaultInjection.Kind> {
    switch kind.prefix(3) {
    case "C1 ": [.delays]
    case "C4 ": [.delays, .transportErrors, .partialBatches]
    case "C5 ": [.kills, .secondKills, .transportErrors]
    case "C6 ": [.edits]
    case "C7 ": [.partialBatches]
    default: [.delays, .edits, .kills, .transportErrors]
    }
  }
}
