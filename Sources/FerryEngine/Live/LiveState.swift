// Ferry: offline-first sync for Parse Server. MIT licence.

/// How live queries stand: `LiveQueries.state`.
public enum LiveState: Sendable, Equatable {
  /// A connection opens, and the server has not answered about all classes.
  case connecting
  /// The server tells the changes of these classes; the others it refuses, with its reasons.
  case listening(Set<String>, refused: [String: String])
  /// There is no connection; the next one opens after a time.
  case waiting(Duration, because: String)
  /// Nobody listens: `run()` has not begun, or has returned.
  case ended
}
