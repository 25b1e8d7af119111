// Ferry: offline-first sync for Parse Server. MIT licence.

/// The value of a file field: a file that the server keeps, or a content that the next sync sends to it.
///
/// `unsent` says which. The app makes the value of a new content with `SyncCoordinator.newFile(_:name:type:)`.
public struct File: Sendable, Codable {
  /// The name under which the server stores it.
  public var name: String
  /// The address at which the file can be read now.
  ///
  /// The server computes it anew for every read, so equality ignores it.
  public var url: String?

  /// A file that has been uploaded.
  public init(name: String, url: String? = nil) {
    self.name = name
    self.url = url
  }
}

extension File: Hashable {
  /// Two files are equal if their names are.
  public static func == (left: File, right: File) -> Bool { left.name == right.name }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
