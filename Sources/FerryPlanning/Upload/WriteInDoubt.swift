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
