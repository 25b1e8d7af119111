// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

extension Query {
  /// The classes whose rows decide about the query's result; nil if each row decides about itself alone.
  ///
  /// - Throws: `StoreError` for a query that cannot be carried out.
  package func classesRead(in schema: Schema) throws(StoreError) -> Set<String>? {
    let names = (condition?.names ?? []) + order.map(\.field)
    let queries = condition?.queries ?? []
    guard !queries.isEmpty || names.contains(where: { $0.contains(".") }) else { return nil }
    var classes: Set = [className]
    let entity = try schema.registered(className)
    for name in names {
      classes.formUnion(try entity.path(name, in: schema).hops.map(\.target))
    }
    for (query, name) in queries {
      var query = query
      // The field that is compared may lead further.
      query.order.append(.ascending(name))
      classes.formUnion(try query.classesRead(in: schema) ?? [query.className])
    }
    return classes
  }
}

extension Query {
  /// The classes of the query and of the queries within it.
  var scannedClasses: Set<String> {
    (condition?.queries ?? []).reduce(into: [className]) { $0.formUnion($1.0.scannedClasses) }
  }
}

extension Condition {
  /// The fields of the class itself that it compares.
  fileprivate var names: [String] {
    switch self {
    case .field(let name, _, _), .oneOf(let name, _), .isNull(let name), .text(let name, _, _),
      .contains(let name, _), .within(let name, _), .among(let name, _, _):
      [name]
    case .all(let conditions), .any(let conditions): conditions.flatMap(\.names)
    case .not(let condition): condition.names
    case .unsent: []
    }
  }

  /// The queries within it, each with the field that is compared.
  fileprivate var queries: [(Query, String)] {
    switch self {
    case .among(_, let query, let name): [(query, name)]
    case .all(let conditions), .any(let conditions): conditions.flatMap(\.queries)
    case .not(let condition): condition.queries
    case .field, .oneOf, .isNull, .text, .contains, .within, .unsent: []
    }
  }
}
