// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Synchronization

/// Where a store gets time and chance from, and from which size on it works in bulk.
final class StoreSurroundings: Sendable {
  let now: @Sendable () -> Timestamp
  /// From this number of rows of a page on, an import that changes them drops the triggers of updates.
  let bulkUpdate: Int
  private let generator: Mutex<any RandomNumberGenerator & Sendable>

  init(
    generator: any RandomNumberGenerator & Sendable, bulkUpdate: Int? = nil,
    now: @escaping @Sendable () -> Timestamp
  ) {
    self.generator = Mutex(generator)
    self.bulkUpdate = bulkUpdate ?? 500
    self.now = now
  }

  /// The device's clock and the system's random numbers.
  static var live: StoreSurroundings {
    StoreSurroundings(generator: SystemRandomNumberGenerator(), now: { .now })
  }

  /// The same clock, and a generator that goes on from the same state by itself.
  func copy() -> StoreSurroundings {
    StoreSurroundings(generator: generator.withLock { $0 }, bulkUpdate: bulkUpdate, now: now)
  }

  func mintID() -> String { generator.withLock { MintedID.make(using: &$0) } }
}
