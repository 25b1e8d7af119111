// Ferry: offline-first sync for Parse Server. MIT licence.

/// A write whose record the engine must look up on the server.
package struct WriteInDoubt: Sendable {
  package enum Reason: Sendable {
    /// The outcome is unknown: there is no answer, or an unreadable one.
    case lost
    /// A unique value exists already.
    case duplicate
    /// The record does not exist, or this user may not change it.
    case denied
  }

  package var key: RecordKey
  package var reason: Reason
  /// The refusal, if there was one.
  package var failure: WriteFailure?

  package init(key: RecordKey, reason: Reason, failure: WriteFailure? = nil) {
    self.key = key
    self.reason = reason
    self.failure = failure
  }
}

extension WriteInDoubt {
  /// The doubt about an entry as it is now.
  ///
  /// The app may have inserted the record again since the server denied its delete. It does not want any more what was
  /// denied, so the lookup shows what the server holds, and what is left to send.
  package func concerning(_ entry: OutboxEntry) -> WriteInDoubt {
    guard reason == .denied, entry.kind == .create, entry.attempts.last?.kind == .delete else {
      return self
    }
    return WriteInDoubt(key: key, reason: .lost)
  }
}
