// Ferry: offline-first sync for Parse Server. MIT licence.

/// A condition that selects rows.
///
/// Text is compared by its bytes, numbers by value, and dates by instant. Fields kept as JSON can
/// only be compared for equality. As in SQL, neither a comparison with a missing value nor its
/// negation holds. Use `isNull` to find such rows.
///
/// A field is a declared field, `objectId`, `createdAt`, `updatedAt` or `localId`. Behind a pointer and a dot it is a
/// field of the row to which the pointer leads: `league.name`, or `league.parent.name`. Such a field has no value if
/// the pointer has none, or if its row is not in the store.
///
/// ```swift
/// let open = try store.read {
///   try $0.records(of: "Game", where: .field("score", .greaterThan, 2) && .isNull("playedAt"))
/// }
/// let north = Query("Game", where: .field("league.name", .equal, "North"))
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

  /// Compares a field with a value.
  case field(String, Comparison, Value)
  /// The field has one of the values.
  case oneOf(String, [Value])
  /// The field has no value.
  case isNull(String)
  /// The text of a field matches.
  ///
  /// ```swift
  /// let finals = Condition.text("title", .contains("final"), .ignoringCase)
  /// ```
  case text(String, TextMatch, TextOptions = .exact)
  /// An array has an element that equals a value.
  ///
  /// ```swift
  /// let tagged: Condition = .contains("tags", "cup") || .contains("tags", "league")
  /// ```
  case contains(String, Value)
  /// A geo point lies in an area.
  ///
  /// ```swift
  /// let berlin = GeoPoint(latitude: 52.52, longitude: 13.405)
  /// let near = Query("Game", where: .within("place", .circle(around: berlin, kilometres: 5)))
  /// ```
  case within(String, GeoArea)
  /// The field's value is among the values of a field of the rows of another query.
  ///
  /// By default that field is `objectId`: a pointer leads to one of the rows. Missing values of the other rows are left
  /// out. The types must be the same; an object id and a pointer to its class are, and so are two kinds of numbers.
  ///
  /// ```swift
  /// let small = Query("League", where: .field("teams", .lessThan, 4))
  /// let games = Query("Game", where: .among("league", small))
  /// let leaguesWithGames = Query("League", where: .among("objectId", Query("Game"), of: "league"))
  /// ```
  case among(String, Query, of: String = "objectId")
  /// The row has a change that the server does not have yet, and the change is in one of the states.
  ///
  /// It means what `StoreInspection.pendingChanges(of:)` lists, also for edits made just now. Deleted rows are in no query.
  /// A row always has an answer, so the negation holds for all other rows: `!.isUnsent` asks for those that are synced.
  /// Of rows behind a pointer, `among` asks.
  ///
  /// ```swift
  /// let refused = Query("Game", where: .unsent([.parked]), orderedBy: .ascending("title"))
  /// let ofUnsentLeagues = Query("Game", where: .among("league", Query("League", where: .isUnsent)))
  /// ```
  case unsent(Set<UnsentState>)
  /// All conditions hold; an empty list holds.
  case all([Condition])
  /// At least one condition holds; an empty list does not hold.
  case any([Condition])
  /// The condition does not hold.
  case not(Condition)

  /// The row has a change that the server does not have yet, in any state.
  public static var isUnsent: Condition { .unsent(Set(UnsentState.allCases)) }

  /// Both conditions hold.
  public static func && (left: Condition, right: Condition) -> Condition { .all([left, right]) }
  /// At least one of the two conditions holds.
  public static func || (left: Condition, right: Condition) -> Condition { .any([left, right]) }
  /// The condition does not hold.
  public static prefix func ! (condition: Condition) -> Condition { .not(condition) }
}
