// Ferry: offline-first sync for Parse Server. MIT licence.

/// An error whose words contain no secret, so that a run may repeat them.
package protocol TellableError: Error {
  /// What happened, what became of the data, and what to do next.
  var message: String { get }
  /// Whether the same request may succeed later.
  var mayPass: Bool { get }
}
