// Ferry: offline-first sync for Parse Server. MIT licence.

/// The aggregates of one group of rows.
public struct Summary: Sendable, Equatable {
  /// The values of the grouping fields that all rows of the group have; a missing value is left out.
  public var group: Fields
  /// The results, by aggregate.
  public var results: [Aggregate: Value]

  /// A summary made of its parts.
  public init(group: Fields, results: [Aggregate: Value]) {
    self.group = group
    self.results = results
  }

  /// The result of an aggregate; null if it has none, or was not asked for.
  public subscript(aggregate: Aggregate) -> Value { results[aggregate] ?? .null }
}
