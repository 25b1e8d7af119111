// Ferry: offline-first sync for Parse Server. MIT licence.

/// How long live queries wait before they open the next connection.
enum LivePause {
  /// The longest pause after a lost connection.
  static let longest = 30.0
  /// The pause where only the server, an operator or a person can change something.
  static let afterRefusal = 60.0

  /// The pause after an ending.
  ///
  /// Each client takes a part of it by chance: a server that comes back does not get all of them at once.
  ///
  /// - Parameters:
  ///   - ending: Why the last connection ended.
  ///   - failures: How many connections have ended in a row without listening, this one among them; at least 1.
  ///   - jitter: A random number from 0 up to 1.
  /// - Returns: The pause.
  static func after(_ ending: LiveEnding, failures: Int, jitter: Double) -> Duration {
    switch ending.cause {
    case .refused: .seconds(afterRefusal * (0.5 + jitter / 2))
    case .lost:
      .seconds(jitter * min(longest, Double(1 << min(failures, 10)) - 1))
    }
  }
}
