// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// The parts of queries that the store may not have: rows of on-demand classes.
struct OnDemandParts {
  let schema: Schema

  /// A pointer of a query's class, or one behind others, that leads to an on-demand class.
  struct Hop: Hashable {
    /// The names of the pointers, with dots between them.
    var path: String
    var target: String
  }

  func isOnDemand(_ className: String) -> Bool { schema.entity(className)?.isOnDemand ?? false }

  /// Whether a query needs rows of an on-demand class.
  func concern(_ query: Query, reading fields: [String]) -> Bool {
    isOnDemand(query.className) || !hops(of: query, reading: fields).isEmpty
      || !subqueries(of: query).isEmpty
  }

  /// The pointers that the query follows into on-demand classes, the shorter ones first.
  func hops(of query: Query, reading fields: [String]) -> [Hop] {
    let paths = (query.condition?.fields ?? []) + query.order.map(\.field) + fields
    var hops = Set<Hop>()
    for path in paths {
      var className = query.className
      var pointers: [Substring] = []
      for step in path.split(separator: ".").dropLast() {
        guard case .pointer(let target)? = schema.entity(className)?.field(String(step))?.type
        else {
          break
        }
        pointers.append(step)
        className = target
        if isOnDemand(target) {
          hops.insert(Hop(path: pointers.joined(separator: "."), target: target))
        }
      }
    }
    return hops.sorted { ($0.path.count, $0.path) < ($1.path.count, $1.path) }
  }

  /// The queries within the query's condition that need rows of an on-demand class.
  func subqueries(of query: Query) -> [(query: Query, field: String)] {
    (query.condition?.subqueries ?? []).filter { concern($0.query, reading: [$0.field]) }
  }
}

extension Condition {
  /// The fields of the class that the condition names.
  fileprivate var fields: [String] {
    switch self {
    case .field(let name, _, _), .oneOf(let name, _), .isNull(let name), .text(let name, _, _),
      .contains(let name, _), .within(let name, _), .among(let name, _, _):
      [name]
    case .unsent: []
    case .all(let parts), .any(let parts): parts.flatMap(\.fields)
    case .not(let part): part.fields
    }
  }

  /// The queries within the condition, and the fields of which they give the values.
  fileprivate var subqueries: [(query: Query, field: String)] {
    switch self {
    case .among(_, let query, let field): [(query, field)]
    case .all(let parts), .any(let parts): parts.flatMap(\.subqueries)
    case .not(let part): part.subqueries
    case .field, .oneOf, .isNull, .text, .contains, .within, .unsent: []
    }
  }
}
