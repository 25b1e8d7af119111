// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

extension Query {
  /// The greatest number of fields that a query reads or sorts by.
  private static let mostFields = 1000

  /// Checks that one statement can name all fields.
  func checkSize(reading fields: [String]) throws(StoreError) {
    let count = fields.count + order.count
    guard count > Self.mostFields else { return }
    throw Condition.tooLarge("\(count) fields to read and to sort by", "\(Self.mostFields)")
  }
}

extension Condition {
  /// The greatest number of comparisons, of values, and of conditions within another, in one query.
  ///
  /// SQLite would refuse more, with an error that names no way out.
  private static let most = (comparisons: 500, values: 30_000, depth: 20)

  /// Checks that one statement can have all parts.
  func checkSize() throws(StoreError) {
    var size = (comparisons: 0, values: 0)
    try add(to: &size, depth: 0, nesting: 0)
    guard size.comparisons <= Self.most.comparisons else {
      throw Self.tooLarge("\(size.comparisons) comparisons", "\(Self.most.comparisons)")
    }
    guard size.values <= Self.most.values else {
      throw Self.tooLarge("\(size.values) values", "\(Self.most.values)")
    }
  }

  private func add(
    to size: inout (comparisons: Int, values: Int), depth: Int, nesting: Int
  ) throws(StoreError) {
    guard depth <= Self.most.depth else { throw Self.tooDeep }
    // Lists within lists of their kind cost no level, but each has a comparison, and a call here.
    guard nesting <= Self.most.comparisons else {
      throw Self.tooLarge(
        "more than \(Self.most.comparisons) comparisons", "\(Self.most.comparisons)")
    }
    switch self {
    case .oneOf(_, let values):
      // Values kept as JSON are compared one by one.
      size.comparisons += values.contains(where: \.isKeptAsJSON) ? values.count : 1
      size.values += values.count
    case .field, .isNull, .text, .contains, .within, .unsent:
      size.comparisons += 1
      size.values += 1
    case .among(_, let query, _):
      size.comparisons += 1
      // SQLite's parser goes as deep for a sub-query as for five brackets.
      guard depth + 5 <= Self.most.depth else { throw Self.tooDeep }
      try query.condition?.add(to: &size, depth: depth + 5, nesting: nesting + 1)
    case .all(let conditions), .any(let conditions):
      size.comparisons += conditions.isEmpty ? 1 : 0
      for condition in conditions {
        try condition.add(
          to: &size, depth: depth + (condition.isSameList(as: self) ? 0 : 1), nesting: nesting + 1)
      }
    case .not(let condition): try condition.add(to: &size, depth: depth + 1, nesting: nesting + 1)
    }
  }

  /// Whether both conditions are an AND, or both are an OR.
  ///
  /// One list can then hold the parts of both.
  package func isSameList(as other: Condition) -> Bool {
    switch (self, other) {
    case (.all, .all), (.any, .any): true
    default: false
    }
  }

  private static var tooDeep: StoreError {
    tooLarge(
      "conditions in more than \(most.depth) levels, of which a sub-query takes five",
      "\(most.depth)")
  }

  fileprivate static func tooLarge(_ what: String, _ most: String) -> StoreError {
    StoreError(
      .queryTooLarge,
      "The query has \(what), and one query may have \(most), so nothing was read. Split the query, or ask by a "
        + "sub-query for what the values come from.")
  }
}

extension Value {
  /// Whether a column keeps it as JSON.
  fileprivate var isKeptAsJSON: Bool {
    switch self {
    case .object, .array, .geoPoint, .polygon, .file, .relation: true
    case .null, .string, .integer, .number, .boolean, .date, .pointer, .bytes: false
    }
  }
}
