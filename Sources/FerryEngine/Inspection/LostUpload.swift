// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel

/// Requests that sent a new file, and whose files no record names.
///
/// If the answer was lost, the server may keep a copy under a name that nobody knows. Parse Server
/// lists no files, so only a person with access to its storage can find and remove it. If the app edited the field while the
/// file was sent, or has replaced it since, `serverName` says the name, and a sync with the master key removes the file. A request
/// without an answer is forgotten after 30 days.
public struct LostUpload: Sendable, Hashable {
  /// The new file.
  public var file: UnsentFile
  /// How many such requests there were.
  public var count: Int
  /// The name of the file on the server; nil if the answer was lost.
  public var serverName: String?
  /// When the last of these requests left; of a replaced file, when a sync noticed that.
  public var time: Timestamp
  /// Why no record names the file.
  public var reason: Reason

  /// Why the server keeps a file that no record names, or may keep one.
  public enum Reason: String, Sendable, CaseIterable {
    /// No answer said whether the server has kept the file.
    case answerLost = "answer-lost"
    /// The app edited the field while the file was sent.
    case editedMeanwhile = "edited-meanwhile"
    /// The app has replaced it, in a field whose replaced files leave the server (`ReplacedFiles.delete`).
    ///
    /// A sync with the master key removes it a week later, unless something else names it.
    case replaced
  }
}
