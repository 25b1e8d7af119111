// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryPlanning
import Randomness
import SimulatedDisk

/// Worlds that differ in one thing alone: what goes wrong with a device's disk, and when.
///
/// ```swift
/// let injection = try DiskInjection(.powerLosses, of: .all[0], in: Simulation())
/// let outcome = Simulation().play(injection.world(at: 7))
/// ```
public struct DiskInjection: Sendable {
  /// The kinds of failures.
  public enum Kind: String, CaseIterable, Sendable {
    /// The power goes at each change of a file: all un-synced changes are kept, lost, or each decides by chance.
    case powerLosses = "a loss of power at each change of a file"
    /// The same, and once more while the device recovers.
    case secondPowerLosses = "a second loss of power in the recovery"
    /// Each operation of the disk fails in each way, once and for the rest of the event.
    case refusals = "each operation of the disk failing"
  }

  /// The kind of failure.
  public let kind: Kind
  private let scenario: DiskScenario
  private let failures: [[DiskFailure]]

  /// The number of worlds.
  public var count: Int { failures.count }

  /// Finds the operations by playing the scenario once.
  ///
  /// - Throws: `Violation` if the scenario breaks a rule without any failure.
  public init(
    _ kind: Kind, of scenario: DiskScenario, in simulation: Simulation
  ) throws(Violation) {
    self.kind = kind
    self.scenario = scenario
    let operations = try simulation.diskOperations(
      of: scenario.device, in: scenario.world(failing: []))
    let changes = operations.count(where: \.isChange)
    switch kind {
    case .powerLosses:
      failures = (0..<changes).flatMap { place in
        Self.losses(place).map { [.losesPower(afterChanges: place, $0)] }
      }
    case .secondPowerLosses:
      failures = (0..<changes).flatMap { place in
        Self.losses(place).map { loss in
          // The recovery repeats much of the work; chance chooses one of its first changes, or a later one.
          var generator = SeededGenerator(seed: UInt64(place) << 8)
          let bound = generator.one(in: 2) ? 20 : changes
          let second = generator.number(below: bound)
          return [
            .losesPower(afterChanges: place, loss),
            .losesPower(afterChanges: second, generator.pick(Self.losses(~place))),
          ]
        }
      }
    case .refusals:
      failures = operations.indices.flatMap { place in
        operations[place].errors.flatMap { error in
          (error.canLast ? [false, true] : [false]).map {
            [.refuses(afterOperations: place, error, isForGood: $0)]
          }
        }
      }
    }
  }

  /// One of the worlds, from 0 up to `count`.
  public func world(at number: Int) -> World { scenario.world(failing: failures[number]) }

  private static func losses(_ place: Int) -> [PowerLoss] {
    [.keepsAll, .losesAll, .mixes(seed: UInt64(bitPattern: Int64(place)))]
  }
}
