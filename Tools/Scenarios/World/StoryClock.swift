// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryModel
import Foundation
import Synchronization

/// The time of a story: it passes when the story says so, and a little with every request.
final class StoryClock: Sendable {
  private let state = Mutex(Date(timeIntervalSince1970: 1_780_000_000))
  private let chance: Mutex<UInt64>

  init(seed: UInt64) { chance = Mutex(seed) }

  var now: Date { state.withLock { $0 } }

  func pass(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    state.withLock { $0 += Double(seconds) + Double(attoseconds) * 1e-18 }
  }

  /// SplitMix64: the same story takes the same course each time.
  fileprivate func random() -> UInt64 {
    chance.withLock { state in
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }
}

/// The clock on a device, which may be set wrong, beside the time that passes for all.
final class StoryDeviceClock: Sendable {
  private let time: StoryClock
  private let distance = Mutex<TimeInterval>(0)

  init(_ time: StoryClock) { self.time = time }

  func set(ahead distance: Duration) {
    self.distance.withLock { $0 = TimeInterval(distance.components.seconds) }
  }

  /// The environment of a device, instead of the machine's clock and random numbers.
  var environment: SyncEnvironment {
    SyncEnvironment(
      now: { Timestamp(self.time.now + self.distance.withLock { $0 }) },
      uptime: { self.time.now.timeIntervalSince1970 }, random: { self.time.random() })
  }

  /// Chance for a store; it goes on where it was when the store is opened again.
  var generator: some RandomNumberGenerator & Sendable { Generator(time: time) }

  private struct Generator: RandomNumberGenerator {
    let time: StoryClock
    func next() -> UInt64 { time.random() }
  }
}
