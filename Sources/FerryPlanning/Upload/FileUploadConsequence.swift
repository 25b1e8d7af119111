// Ferry: offline-first sync for Parse Server. MIT licence.

/// The consequence for a new file that the server did not take.
package enum FileUploadConsequence: Equatable, Sendable {
  /// The record waits for an edit, because every further attempt would fail too.
  case park
  /// Each further request of the run would fail too: the file is due again.
  case endRun
  /// The server takes no file for a while: those that are left pause, and other changes go on.
  case pause
  /// The server takes files from users alone: those that are left wait for a login, and other changes go on.
  case askForLogin
  /// The file is due again; the server may have kept it under a name that nobody knows.
  case doubt(mayStillRun: Bool)

  /// The one table from the meaning of an answer to the consequence.
  ///
  /// The run has had good answers before. So an answer that a wrong key or a wrong address would get is one about this file, such
  /// as of a proxy that takes none, and other records go on.
  package init(_ meaning: RefusalMeaning) {
    self =
      switch meaning {
      case .refused, .forbidden, .invalidName, .duplicate, .notFoundOrForbidden, .tooLarge,
        .unauthorized, .wrongURL:
        .park
      case .loginNeeded, .retryLater: .endRun
      case .rateLimited: .pause
      case .outcomeUnknown(let mayStillRun): .doubt(mayStillRun: mayStillRun)
      case .failed, .malformed, .cut, .notParse: .doubt(mayStillRun: false)
      }
  }
}
