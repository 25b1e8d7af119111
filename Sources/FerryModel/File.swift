// Ferry: offline-first sync for Parse Server. MIT licence.

/// A file kept by the server.
public struct File: Sendable, Codable {
  /// The name under which the server stores it.
  public var name: String
  /// Where it can be read now.
  ///
  /// Computed anew by the server on every read, so never part of equality.
  public var url: String?

  /// A file that has been uploaded.
  public init(name: String, url: String? = nil) {
    self.name = name
    self.url = url
  }
}

extension File: Hashable {
  /// Files are the same when their names are.
  public static func == (left: File, right: File) -> Bool { left.name == right.name }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
