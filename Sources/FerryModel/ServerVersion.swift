// Ferry: offline-first sync for Parse Server. MIT licence.

/// Which state of a record the server showed: its `updatedAt`, kept letter for letter.
///
/// Versions are compared for equality only. On Parse Server `updatedAt` is stamped before triggers
/// run, so a later state can carry an earlier stamp; "newer" has no meaning here.
public struct ServerVersion: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible
{
  /// The server's `updatedAt`, verbatim.
  public var rawValue: String

  /// Wraps an `updatedAt` as the server sent it.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The stamp as an instant; nil when the server's text is not a date.
  public var timestamp: Timestamp? { Timestamp(rawValue) }

  /// The server's text.
  public var description: String { rawValue }
}
