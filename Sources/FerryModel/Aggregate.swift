// Ferry: offline-first sync for Parse Server. MIT licence.

/// A number or a value that many rows give together.
///
/// Missing values are skipped, as in SQL. A field may lie behind pointers, as `league.teams`.
public enum Aggregate: Sendable, Hashable {
  /// The number of rows.
  case count
  /// The number of rows in which a field has a value.
  case countOf(String)
  /// The sum of numbers; null if there are none.
  ///
  /// The sum of whole numbers is whole, and a number with a fraction only where 64 bits do not hold it. Other sums are
  /// exact and rounded once, so the order of the rows makes no difference unless a part of the sum is too large.
  case sum(String)
  /// The sum of numbers divided by their count; null if there are none.
  case average(String)
  /// The least value of a field with an order; null if there is none.
  case minimum(String)
  /// The greatest value of a field with an order; null if there is none.
  case maximum(String)

  /// The field; nil for the number of rows.
  package var field: String? {
    switch self {
    case .count: nil
    case .countOf(let field), .sum(let field), .average(let field), .minimum(let field),
      .maximum(let field):
      field
    }
  }
}
