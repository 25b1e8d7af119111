// Ferry: offline-first sync for Parse Server. MIT licence.

/// The state of a record that the server sent: its `updatedAt`, kept letter for letter.
///
/// Versions are only compared for equality. Parse Server stamps `updatedAt` before triggers run, so
/// a later state can carry an earlier stamp. No version is "newer" than another.
public struct ServerVersion: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible
{
  /// The server's `updatedAt`, verbatim.
  public var rawValue: String

  /// Wraps an `updatedAt` as the server sent it.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The stamp as an instant; nil if the server's text is not a date.
  public var timestamp: Timestamp? { Timestamp(rawValue) }

  /// The server's text.
  public var description: String { rawValue }
}
