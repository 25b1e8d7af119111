// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning

/// The first actions of a run, up to a limit.
///
/// They are in parts of one size: a single array that grows would need three times the room while it is copied.
struct KeptActions {
  private static let partSize = 4096

  private let limit: Int
  private var parts: [[SyncAction]] = []
  private var count = 0

  init(limit: Int) { self.limit = limit }

  /// All of them, in the order in which they came.
  var all: [SyncAction] { parts.flatMap { $0 } }

  /// Adds actions as far as the limit allows.
  mutating func append(_ actions: [SyncAction]) {
    for action in actions.prefix(limit - count) {
      if count.isMultiple(of: Self.partSize) { parts.append([]) }
      parts[parts.count - 1].append(action)
      count += 1
    }
  }
}
