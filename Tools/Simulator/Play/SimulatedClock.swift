// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryModel
import Foundation

/// The time of a world, which passes only when the player or a request makes it pass.
final class SimulatedClock: @unchecked Sendable {
  // Unchecked, as all that a player holds: a world is played on one thread.
  private(set) var milliseconds: Int64 = 1_780_000_000_000
  private var chance: Chance

  init(seed: UInt64) { chance = Chance(seed: ~seed) }

  var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }

  func pass(milliseconds duration: Int64) { milliseconds += duration }

  func random() -> UInt64 { chance.next() }

  /// The surroundings of a device whose clock is that number of milliseconds ahead.
  func environment(ahead: @escaping @Sendable () -> Int64) -> SyncEnvironment {
    SyncEnvironment(
      now: { Timestamp(milliseconds: self.milliseconds + ahead()) },
      uptime: { Double(self.milliseconds) / 1000 }, random: { self.random() })
  }

  /// Chance for a store, which goes on where it was when the store is opened again.
  var generator: some RandomNumberGenerator & Sendable { Generator(clock: self) }

  private struct Generator: RandomNumberGenerator {
    let clock: SimulatedClock
    func next() -> UInt64 { clock.random() }
  }
}
