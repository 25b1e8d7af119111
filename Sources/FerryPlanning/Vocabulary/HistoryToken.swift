// Ferry: offline-first sync for Parse Server. MIT licence.

/// A place in a store's history: everything up to it has been seen.
///
/// Keep the token of what you have merged, and ask for what came after it. Tokens are ordered, never
/// reused, and mean something only in the store they came from.
public struct HistoryToken: RawRepresentable, Hashable, Comparable, Sendable, Codable {
  /// The number of the change.
  public var rawValue: Int64

  /// Wraps the number of a change.
  public init(rawValue: Int64) { self.rawValue = rawValue }

  /// Before every change.
  public static let start = HistoryToken(rawValue: 0)

  /// Orders by time of commit.
  public static func < (left: HistoryToken, right: HistoryToken) -> Bool {
    left.rawValue < right.rawValue
  }
}
