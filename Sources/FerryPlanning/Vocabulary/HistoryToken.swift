// Ferry: offline-first sync for Parse Server. MIT licence.

/// A position in a store's history.
///
/// Keep the token of the last change that you have merged, and ask for the changes after it. Tokens
/// are ordered and never reused. They are valid only in the store that issued them.
public struct HistoryToken: RawRepresentable, Hashable, Comparable, Sendable, Codable {
  /// The number of the change.
  public var rawValue: Int64

  /// Wraps the number of a change.
  public init(rawValue: Int64) { self.rawValue = rawValue }

  /// The position before every change.
  public static let start = HistoryToken(rawValue: 0)

  /// Orders by time of commit.
  public static func < (left: HistoryToken, right: HistoryToken) -> Bool {
    left.rawValue < right.rawValue
  }
}
