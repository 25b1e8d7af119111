// Ferry: offline-first sync for Parse Server. MIT licence.

/// How many batches with additions to numbers a store has begun to send, by the staging folder that was beside it.
///
/// A create that holds such a number counts, too. Each folder has a note of its own count. If that is greater than the
/// store's, the store went back to a backup. If the store does not know the folder, it may have come from another device.
/// Additions that it has not sent may then have been sent after all.
struct SentAdditions: Codable, Equatable, Sendable {
  var counts: [String: Int] = [:]

  /// Whether the store may have sent more than it knows.
  func mayHaveSentMore(accordingTo beside: AdditionsNote?) -> Bool {
    guard let beside, let known = counts[beside.folder] else {
      return !counts.isEmpty || beside.map { $0.count > 0 } ?? false
    }
    return beside.count > known
  }
}
