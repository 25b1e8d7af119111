// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// A moment within a sync, at which other things may happen.
enum Moment: Sendable {
  /// A request is about to leave.
  case leaving(RequestSummary)
  /// The server has answered, and the device does not know yet.
  case answered(RequestSummary, body: Data)
  /// The device's store has committed a transaction of the engine.
  case committed

  /// Whether the moment belongs to a request that writes.
  var isOfWrite: Bool { request?.isWrite ?? false }

  /// The request; nil for a commit.
  var request: RequestSummary? {
    switch self {
    case .leaving(let request), .answered(let request, _): request
    case .committed: nil
    }
  }
}
