// Ferry: offline-first sync for Parse Server. MIT licence.

/// Why a connection of live queries ended.
struct LiveEnding: Error, Equatable {
  enum Cause: Equatable {
    /// The network, or a server that may accept the next connection.
    case lost
    /// A person or an operator has to change something.
    case refused
  }

  var cause: Cause
  /// What happened, as a sentence.
  var reason: String

  init(_ cause: Cause, _ reason: String) {
    self.cause = cause
    self.reason = reason
  }
}
