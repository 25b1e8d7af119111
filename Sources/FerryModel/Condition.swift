// Ferry: offline-first sync for Parse Server. MIT licence.

/// A condition that selects rows.
///
/// Text is compared by its bytes, numbers by value, and dates by instant. Fields kept as JSON can
/// only be compared for equality. As in SQL, neither a comparison with a missing value nor its
/// negation holds. Use `isNull` to find such rows.
///
/// ```swift
/// let open = try store.read {
///   try $0.records(of: "Game", where: .field("score", .greaterThan, 2) && .isNull("playedAt"))
/// }
/// ```
public indirect enum Condition: Sendable, Equatable {
  /// How a field is compared with a value.
  public enum Comparison: Sendable, Hashable {
    /// Equal.
    case equal
    /// Not equal.
    case notEqual
    /// Less, or earlier.
    case lessThan
    /// Less or equal.
    case lessThanOrEqual
    /// Greater, or later.
    case greaterThan
    /// Greater or equal.
    case greaterThanOrEqual
  }

  /// Compares a declared field, `objectId`, `createdAt`, `updatedAt` or `localId` with a value.
  case field(String, Comparison, Value)
  /// The field has one of the values.
  case oneOf(String, [Value])
  /// The field has no value.
  case isNull(String)
  /// All conditions hold; an empty list holds.
  case all([Condition])
  /// At least one condition holds; an empty list does not hold.
  case any([Condition])
  /// The condition does not hold.
  case not(Condition)

  /// Both conditions hold.
  public static func && (left: Condition, right: Condition) -> Condition { .all([left, right]) }
  /// At least one of the two conditions holds.
  public static func || (left: Condition, right: Condition) -> Condition { .any([left, right]) }
  /// The condition does not hold.
  public static prefix func ! (condition: Condition) -> Condition { .not(condition) }
}
