// Ferry: offline-first sync for Parse Server. MIT licence.

/// The pauses between the tries of a prefetch: each is twice as long as the one before, up to five minutes.
struct PrefetchPause: Sendable {
  private static let longest = Duration.seconds(300)
  private var next: Duration

  init(first: Duration = .seconds(1)) { next = first }

  /// The next pause.
  ///
  /// - Parameter wish: How long the server asked to wait, if it did.
  /// - Returns: How long to wait.
  mutating func take(atLeast wish: Duration?) -> Duration {
    defer { next = min(next * 2, Self.longest) }
    return max(next, min(wish ?? .zero, Self.longest))
  }
}

extension FileError {
  /// How often a file is fetched whose failure may be its own, such as the address of a server that exists no more.
  ///
  /// Each fetch repeats its request, too.
  private static let tryLimit = 3

  /// Whether the same request may succeed later, without a change of the record.
  ///
  /// A cause that concerns all files is waited out, however long it takes. One file must not hold up the others.
  ///
  /// - Parameters:
  ///   - tries: How often the file was fetched.
  ///   - serverMayBeAway: Whether the file is one of the coordinator's server, which has done nothing else since.
  /// - Returns: Whether to fetch it again.
  func mayPass(afterTries tries: Int, serverMayBeAway: Bool) -> Bool {
    switch code {
    case .sessionUnavailable, .loginNeeded, .diskFull, .localStorage: true
    case .unreachable, .tryAgain: serverMayBeAway || tries < Self.tryLimit
    default: false
    }
  }
}
