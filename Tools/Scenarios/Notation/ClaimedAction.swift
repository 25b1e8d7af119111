// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning

/// How many actions of a kind there are for a class.
struct ClaimedAction: Sendable, Hashable {
  var kind: SyncAction.Kind
  var count: Int
  var className: String

  var text: String { "\(kind.rawValue) \(count) \(className)" }
}
