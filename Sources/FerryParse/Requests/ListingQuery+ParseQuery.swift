// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
package import FerryPlanning

extension ListingQuery {
  /// The query for at most that many rows that pass a filter.
  package func query(keys: [String], limit: Int, filter: ParseConstraint? = nil) -> ParseQuery {
    var constraints = rows.constraints
    if let until { constraints.append(.stamp(.lessThan, until)) }
    if let filter { constraints.append(filter) }
    guard rows != .newest else {
      return ParseQuery(.all(constraints), order: rows.order, keys: ["objectId"], limit: 1)
    }
    return ParseQuery(
      .all(constraints), order: rows.order, keys: content == .versions ? ["objectId"] : keys,
      limit: limit, skip: skip > 0 ? skip : nil, counts: counts)
  }
}

extension ListingQuery.Rows {
  /// The constraint on the stamp is repeated beside the one on stamp and id, so that a database can
  /// use an index.
  ///
  /// Otherwise it would read from the beginning.
  fileprivate var constraints: [ParseConstraint] {
    switch self {
    case .newest: [.stamp(.greaterThanOrEqual, .beforeAllStamps)]
    case .named(let ids, let last):
      [.oneOf("objectId", ids.map(Value.string))]
        + (last.map { [.compare("objectId", .greaterThan, .string($0))] } ?? [])
    case .from(let start): [.stamp(.greaterThanOrEqual, start)]
    case .after(let key):
      [
        .stamp(.greaterThanOrEqual, key.updatedAt),
        .any([
          .stamp(.greaterThan, key.updatedAt),
          .all([
            .equal("updatedAt", .date(key.updatedAt)),
            .compare("objectId", .greaterThan, .string(key.objectID)),
          ]),
        ]),
      ]
    case .millisecond(let start, let objectID):
      [.stamp(.greaterThanOrEqual, start), .stamp(.lessThan, start.adding(milliseconds: 1))]
        + (objectID.map { [.compare("objectId", .greaterThan, .string($0))] } ?? [])
    }
  }

  fileprivate var order: [String] {
    switch self {
    case .from, .after: ["updatedAt", "objectId"]
    case .millisecond, .named: ["objectId"]
    case .newest: ["-updatedAt"]
    }
  }
}

extension ParseConstraint {
  fileprivate static func stamp(
    _ comparison: Comparison, _ time: Timestamp
  ) -> ParseConstraint {
    .compare("updatedAt", comparison, .date(time))
  }
}
