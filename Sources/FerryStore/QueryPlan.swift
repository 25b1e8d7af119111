// Ferry: offline-first sync for Parse Server. MIT licence.

/// How a store carries a query out.
public struct QueryPlan: Sendable, Equatable {
  /// The classes of which the store looks at each row until it has all that the query wants, in text order.
  ///
  /// A query for all rows scans too, and one with a limit and no condition stops at its limit. Other classes are reached
  /// by an index.
  public var scannedClasses: [String]
  /// Whether the store sorts the rows that it has found.
  ///
  /// No index has them in the query's order then.
  public var sortsRows: Bool
  /// The steps in the words of the database, for people; they may change with its version.
  public var steps: [String]

  /// A plan made of its parts.
  public init(scannedClasses: [String], sortsRows: Bool, steps: [String]) {
    self.scannedClasses = scannedClasses
    self.sortsRows = sortsRows
    self.steps = steps
  }
}
