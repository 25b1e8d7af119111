// Ferry: offline-first sync for Parse Server. MIT licence.

/// Removals that the delete guard holds back until the user confirms exactly this set.
public struct GuardedRemoval: Sendable, Equatable {
  /// The side of the removals.
  public enum Side: String, Sendable {
    /// Local rows, because their records are gone on the server.
    case local
    /// Records on the server, because their rows were deleted locally.
    case server
  }

  /// The class.
  public var className: String
  /// The side of the removals.
  public var side: Side
  /// The number of removals.
  public var count: Int
  /// The number of records before the removals; less than `count` if the app has deleted rows of the
  /// set meanwhile.
  public var total: Int
  /// The object ids, sorted.
  public var objectIDs: [String]
  /// Names the set; give it to `startSync(confirming:)` to let it pass.
  public var confirmation: String

  /// The part of the class that the set is, and a verb: "30 of 40 rows of Game are", or "The only row of Game is".
  package func share(_ noun: String, _ one: String, _ many: String) -> String {
    let part =
      count < total
      ? "\(count) of \(total) \(noun)s" : count == 1 ? "The only \(noun)" : "All \(count) \(noun)s"
    return "\(part) of \(className) \(count == 1 ? one : many)"
  }

  /// The class that a confirmation names.
  ///
  /// - Parameter confirmation: A text, as a user typed it.
  /// - Returns: The class; nil if the text has not the form of a confirmation.
  public static func className(inConfirmation confirmation: String) -> String? {
    let parts = confirmation.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 4, Side(rawValue: String(parts[1])) != nil, Int(parts[2]) != nil,
      parts[3].count == 16, parts[3].allSatisfy(\.isHexDigit)
    else { return nil }
    return String(parts[0])
  }

  package init(
    className: String, side: Side, count: Int, total: Int, objectIDs: [String] = [],
    confirmation: String
  ) {
    self.className = className
    self.side = side
    self.count = count
    self.total = total
    self.objectIDs = objectIDs
    self.confirmation = confirmation
  }
}
