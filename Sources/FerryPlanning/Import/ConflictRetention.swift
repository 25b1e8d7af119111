// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// How long a store keeps conflict records, so that an app that never looks at them does not fill the disk.
package struct ConflictRetention: Sendable, Equatable {
  /// How many of the newest conflict records stay, however old they are.
  package var newest: Int64
  /// Conflict records from this time on stay, even if the app has seen or restored them.
  package var seenSince: Timestamp
  /// Conflict records from this time on stay if nobody has seen them.
  package var unseenSince: Timestamp

  package init(newest: Int64, seenSince: Timestamp, unseenSince: Timestamp) {
    self.newest = newest
    self.seenSince = seenSince
    self.unseenSince = unseenSince
  }

  /// The number of the newest conflict record that may leave; numbers never repeat.
  ///
  /// - Parameter last: The number of the newest conflict record.
  /// - Returns: The number; 0 or less if none may.
  package func lastNeedless(newest last: Int64) -> Int64 { last - newest }

  /// Whether a conflict record may leave.
  ///
  /// - Parameters:
  ///   - conflict: The conflict record.
  ///   - last: The number of the newest conflict record.
  /// - Returns: Whether it is old enough, and not among the newest.
  package func isNeedless(_ conflict: ConflictRecord, newest last: Int64) -> Bool {
    (conflict.id ?? .max) <= lastNeedless(newest: last)
      && conflict.time < (conflict.isSeen ? seenSince : unseenSince)
  }
}
