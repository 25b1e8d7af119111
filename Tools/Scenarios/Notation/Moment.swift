// Ferry: offline-first sync for Parse Server. MIT licence.

/// A moment within a sync.
enum Moment: Sendable, Hashable {
  /// The server is about to get the request.
  case leaves(RequestPattern)
  /// The server has carried the request out, and the device does not know yet.
  case isDone(RequestPattern)
  /// A transaction that brought rows of the class here has been committed.
  case isImported(String)
  /// A device that runs by itself has ended a sync, and waits for the next one.
  case waits
}
