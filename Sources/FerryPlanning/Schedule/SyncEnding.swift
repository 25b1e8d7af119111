// Ferry: offline-first sync for Parse Server. MIT licence.

/// How a sync ended, as far as the time of the next one depends on it.
package enum SyncEnding: Sendable, Equatable {
  /// It went to its end.
  ///
  /// - Parameters:
  ///   - hasSent: Whether the server took a change.
  ///   - next: After how many seconds a further sync can move an unsent change; nil for never.
  ///   - leftOut: The classes at which it failed.
  case done(hasSent: Bool, next: Double?, leftOut: Set<String> = [])
  /// It failed, and the same sync may succeed later: after the number of seconds that the server asked for, if it did.
  case failed(asked: Double?)
  /// Another process or coordinator has the store.
  case busy
  /// It failed, and each one fails until a person acts, such as by a login.
  case needsPerson
  /// The app cancelled it.
  case cancelled
}
