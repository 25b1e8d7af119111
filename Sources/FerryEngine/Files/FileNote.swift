// Ferry: offline-first sync for Parse Server. MIT licence.

/// A file of the server whose content is here: a note in the folder `names`.
///
/// The note's time of change is when the file was last asked for.
struct FileNote: Codable, Hashable {
  /// The name that the server gave the file.
  var name: String
  /// The SHA-256 of its content, which is the name of the content's file.
  var sha256: String
  /// The size of its content in bytes.
  var bytes: Int
}
