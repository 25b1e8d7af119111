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
    /// Whether the rows behind it decide which rows a query has, and in which order.
    var decides: Bool
  }

  func isOnDemand(_ className: String) -> Bool { schema.entity(className)?.isOnDemand ?? false }

  /// Whether a query needs rows of an on-demand class.
  func concern(_ query: Query, reading fields: [String]) -> Bool {
    isOnDemand(query.className) || !hops(of: query, reading: fields).isEmpty
      || !subqueries(of: query).isEmpty
  }

  /// The pointers that the query follows into on-demand classes, the shorter ones first.
  func hops(of query: Query, reading fields: [String]) -> [Hop] {
    let deciding = (query.condition?.fields ?? []) + query.order.map(\.field)
    var targets: [String: String] = [:]
    for path in deciding + fields { addTargets(of: path, from: query.className, to: &targets) }
    var decidingTargets: [String: String] = [:]
    for path in deciding { addTargets(of: path, from: query.className, to: &decidingTargets) }
    return targets.map { Hop(path: $0, target: $1, decides: decidingTargets[$0] != nil) }
      .sorted { ($0.path.count, $0.path) < ($1.path.count, $1.path) }
  }

  /// Adds the on-demand classes behind the pointers of a path, by the names of the pointers.
  private func addTargets(
    of path: String, from className: String, to targets: inout [String: String]
  ) {
    var className = className
    var pointers: [Substring] = []
    for step in path.split(separator: ".").dropLast() {
      guard case .pointer(let target)? = schema.entity(className)?.field(String(step))?.type
      else { return }
      pointers.append(step)
      className = target
      if isOnDemand(target) { targets[pointers.joined(separator: ".")] = target }
    }
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
