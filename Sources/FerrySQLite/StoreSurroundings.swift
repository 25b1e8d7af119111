// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Synchronization

/// Where a store gets time and chance from.
final class StoreSurroundings: Sendable {
  let now: @Sendable () -> Timestamp
  private let generator: Mutex<any RandomNumberGenerator & Sendable>

  init(
    generator: any RandomNumberGenerator & Sendable, now: @escaping @Sendable () -> Timestamp
  ) {
    self.generator = Mutex(generator)
    self.now = now
  }

  /// The device's clock and the system's random numbers.
  static var live: StoreSurroundings {
    StoreSurroundings(generator: SystemRandomNumberGenerator(), now: { .now })
  }

  /// The same clock, and a generator that goes on from the same state by itself.
  func copy() -> StoreSurroundings {
    StoreSurroundings(generator: generator.withLock { $0 }, now: now)
  }

  func mintID() -> String { generator.withLock { MintedID.make(using: &$0) } }
}
