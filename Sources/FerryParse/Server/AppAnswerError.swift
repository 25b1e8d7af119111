// Ferry: offline-first sync for Parse Server. MIT licence.

/// Why the app did not answer.
package enum AppAnswerError: Error {
  /// The work was cancelled meanwhile.
  case cancelled
  /// The app had not answered within this time.
  case late(Duration)
  /// The app threw this.
  case thrown(any Error)
}
