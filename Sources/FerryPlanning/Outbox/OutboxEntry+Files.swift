// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

// A record is sent after the new files of its fields; before, no attempt of the record begins.
extension OutboxEntry {
  /// A new file of the record did not reach the server, for a reason that may pass.
  ///
  /// - Parameters:
  ///   - now: The present time.
  ///   - words: What happened, and what to do.
  package mutating func fileFailed(at now: Timestamp, _ words: String) {
    failures.add(isShared: false, at: now)
    _ = wait(in: .blocked(by: .newFile(words, until: failures.pauseEnd(after: now))))
  }

  /// The server takes no new file before a time; an edit of the record makes it due at once.
  package mutating func fileWaits(until end: Timestamp, _ words: String) {
    failures.pause(until: end)
    _ = wait(in: .blocked(by: .newFile(words, until: end)))
  }

  /// A new file of the record reached the server.
  package mutating func fileArrived() {
    failures = FailureStreak()
    rule = nil
    if case .blocked(.newFile) = state { enter(.ready) }
  }
}
