// Ferry: offline-first sync for Parse Server. MIT licence.

/// Which rows a read is about.
///
/// Text is compared by its bytes, numbers by value, dates by instant; fields kept as JSON can be asked
/// for equality only. Whether a comparison with a field that has no value holds is open, and so is
/// whether it does not hold, as in SQL: ask for such rows with `isNull`.
///
/// ```swift
/// let open = try store.read {
///   try $0.records(of: "Game", where: .field("score", .greaterThan, 2) && .isNull("playedAt"))
/// }
/// ```
public indirect enum Condition: Sendable, Equatable {
  /// How a field is compared with a value.
  public enum Comparison: Sendable, Hashable {
    /// The same value.
    case equal
    /// Another value.
    case notEqual
    /// Before it.
    case lessThan
    /// Before it, or the same.
    case lessThanOrEqual
    /// After it.
    case greaterThan
    /// After it, or the same.
    case greaterThanOrEqual
  }

  /// Compares a declared field, `objectId`, `createdAt` or `localId` with a value.
  case field(String, Comparison, Value)
  /// The field has one of the values.
  case oneOf(String, [Value])
  /// The field has no value.
  case isNull(String)
  /// All of them hold; an empty list holds.
  case all([Condition])
  /// At least one of them holds; an empty list does not hold.
  case any([Condition])
  /// It does not hold.
  case not(Condition)

  /// Both hold.
  public static func && (left: Condition, right: Condition) -> Condition { .all([left, right]) }
  /// At least one holds.
  public static func || (left: Condition, right: Condition) -> Condition { .any([left, right]) }
  /// It does not hold.
  public static prefix func ! (condition: Condition) -> Condition { .not(condition) }
}
