// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel

/// Requests that sent a new file, and whose files no record names.
///
/// If the answer was lost, the server may keep a copy under a name that nobody knows. Parse Server
/// lists no files, so only a person with access to its storage can find and remove it. If the app edited the field while the
/// file was sent, `serverName` says the name, and a sync with the master key removes the file.
public struct LostUpload: Sendable, Hashable {
  /// The new file.
  public var file: UnsentFile
  /// How many such requests there were.
  public var count: Int
  /// The name of the file on the server; nil if the answer was lost.
  public var serverName: String?
  /// When the last of these requests left.
  public var time: Timestamp
}
