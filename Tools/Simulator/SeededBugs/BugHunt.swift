// Ferry: offline-first sync for Parse Server. MIT licence.

package import Foundation

/// Plays worlds with a seeded bug until a rule catches it.
///
/// Most worlds come from seeds. Every other one is a day of work with one injected failure.
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

  private static let injectionEvery = 2

  /// How often a kind of failure is drawn: the kinds with much of the same are rare.
  private static func weight(of kind: FaultInjection.Kind) -> Int {
    switch kind {
    case .delays, .edits: 4
    case .transportErrors, .kills: 3
    case .partialBatches, .secondKills: 2
    case .statuses, .cuts, .alterations, .storeErrors: 1
    }
  }

  private let first: UInt64
  private let count: Int
  private let seconds: Double
  private let folder: URL
  private let injections: [(day: Int, injection: FaultInjection)]

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
    var injections: [(Int, FaultInjection)] = []
    for (day, base) in World.workingDays.enumerated() {
      for kind in FaultInjection.Kind.allCases {
        injections.append((day, try FaultInjection(kind, of: base, in: Simulation(folder: folder))))
      }
    }
    self.injections = injections
  }

  /// Plays worlds until one catches the bug.
  package func run(_ bug: SeededBug) -> Result {
    let start = Self.processorSeconds
    var result = Result()
    while result.worlds < count, Self.processorSeconds - start < seconds {
      let (world, name) = world(result.worlds)
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

  private func world(_ number: Int) -> (World, name: String) {
    let seed = first + UInt64(number)
    guard number % Self.injectionEvery == Self.injectionEvery - 1 else {
      return (World(seed: seed), "--seed \(seed)")
    }
    var chance = Chance(seed: seed)
    let (day, injection) = chance.pick(
      weighted: injections.map { (Self.weight(of: $0.injection.kind), $0) })
    let place = chance.number(below: injection.count)
    return (
      injection.world(at: place), "--inject \(injection.kind) --day \(day) --world \(place)"
    )
  }
}
