// Ferry: offline-first sync for Parse Server. MIT licence.

import Randomness

/// `POST /batch`: many operations in one request.
extension LoopbackBackend {
  /// One operation of a batch, read but not yet routed.
  private struct Item {
    let method: String?
    let path: String
    let body: LoopbackValue
  }

  mutating func batch(_ call: Call) throws(Refusal) -> Answer {
    if configuration.brokenBatch { throw .bare }
    let items = try items(of: call)
    reportHarm(in: items, call)
    try countOperations(items.map { ($0.method ?? "", $0.path) }, call)
    let isTransaction = call.body["transaction"] == true
    // A second reference to the rows makes the first write copy them: only where it is needed.
    let before = isTransaction ? self : nil
    let (results, stranger) = run(items, call)
    let failed = results.contains { if case .failure = $0 { true } else { false } }
    if let before { reportNewFields(since: before, call) }
    if let before, failed || stranger != nil {
      rollBack(to: before)
      throw stranger ?? .bare
    }
    if let stranger { throw stranger }
    return Answer(encoded: Self.encode(results))
  }

  private func items(of call: Call) throws(Refusal) -> [Item] {
    guard let requests = call.body["requests"]?.array else {
      throw .parse(107, "requests must be an array")
    }
    if let limit = configuration.batchRequestLimit, !call.caller.isMaster, requests.count > limit {
      throw .parse(
        107,
        "Batch request contains \(requests.count) sub-requests, which exceeds the limit of "
          + "\(limit).")
    }
    guard requests.allSatisfy({ $0["path"]?.string != nil }) else {
      throw .parse(107, "batch request path must be a string")
    }
    var items: [Item] = []
    for request in requests {
      let path = request["path"]?.string ?? ""
      guard path.hasPrefix(configuration.mountPath + "/") else {
        throw .parse(107, "cannot route batch path \(path)")
      }
      let below = Self.resolved(String(path.dropFirst(configuration.mountPath.count)))
      let method = request["method"]?.string
      if method?.uppercased() == "POST", below == "/batch" {
        throw .parse(107, "nested batch requests are not allowed")
      }
      items.append(Item(method: method, path: below, body: Self.body(of: request)))
    }
    return items
  }

  /// A body as JavaScript goes through it: a text and a list have their places for names.
  private static func body(of request: LoopbackValue) -> LoopbackValue {
    switch request["body"] {
    case .object(let members): .object(members)
    case .array(let elements): indexed(elements)
    case .string(let text): indexed(text.map { .string(String($0)) })
    default: [:]
    }
  }

  /// A path without the steps up in it.
  private static func resolved(_ path: String) -> String {
    guard path.utf8.contains(UInt8(ascii: ".")) else { return path }
    var parts: [Substring] = []
    for part in path.split(separator: "/") {
      if part == ".." { _ = parts.popLast() } else if part != "." { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }

  private typealias Outcome = Result<Answer, Refusal>

  /// Runs the operations in a shuffled order; those from the first without a route on do not run.
  private mutating func run(
    _ items: [Item], _ call: Call
  ) -> (results: [Outcome], stranger: Refusal?) {
    var routes: [Route] = []
    var stranger: Refusal?
    for item in items {
      guard let route = Route(item.method ?? "undefined", item.path), route != .batch else {
        stranger = .parse(107, "cannot route \(item.method ?? "undefined") \(item.path)")
        break
      }
      routes.append(route)
    }
    var order = Array(routes.indices)
    if configuration.shufflesBatches { order.shuffle(using: &generator) }
    var results = [Outcome](repeating: .failure(.bare), count: routes.count)
    for index in order { results[index] = perform(items[index], routes[index], call) }
    return (results, stranger)
  }

  private mutating func perform(_ item: Item, _ route: Route, _ call: Call) -> Outcome {
    let inner = Call(
      method: item.method ?? "", path: item.path, body: item.body, caller: call.caller,
      stamp: call.stamp)
    do throws(Refusal) {
      return .success(try perform(route, inner))
    } catch {
      return .failure(error)
    }
  }

  /// Takes rows and files back, but keeps classes, fields and entries of the deletion log, which are created outside
  /// of transactions.
  private mutating func rollBack(to before: LoopbackBackend) {
    let schemas = tables.mapValues(\.schema)
    let log = tables[Self.logClass]
    tables = before.tables
    if ferryModule != nil { tables[Self.logClass] = log }
    sessionIds = before.sessionIds
    for (className, schema) in schemas {
      tables[className, default: ClassTable(schema: schema, collation: configuration.collation)]
        .schema = schema
    }
  }

  private mutating func reportNewFields(since before: LoopbackBackend, _ call: Call) {
    for (className, table) in before.tables.sorted(by: { $0.key < $1.key }) {
      let known = table.schema.fields
      for name in tables[className]?.schema.fields.keys.sorted() ?? [] where known[name] == nil {
        report(
          .newFieldInTransaction, "\(call.method) \(call.path)",
          "The transaction brings the new field \(className).\(name).")
      }
    }
  }

  private static func encode(_ results: [Outcome]) -> [UInt8] {
    var writer = JSONWriter()
    writer.raw("[")
    for (index, result) in results.enumerated() {
      if index > 0 { writer.raw(",") }
      switch result {
      case .success(let answer):
        writer.raw("{\"success\":")
        writer.raw(answer.body)
      case .failure(let refusal):
        writer.raw("{\"error\":")
        writer.write(refusal.batchItem)
      }
      writer.raw("}")
    }
    writer.raw("]")
    return writer.bytes
  }

  private mutating func reportHarm(in items: [Item], _ call: Call) {
    let request = "\(call.method) \(call.path)"
    var rows: Set<String> = []
    for item in items {
      if item.path.contains("?") {
        report(.queryInBatchPath, request, "The batch path \(item.path) has a query string.")
      }
      // Pairs of a relation are written for themselves, so their order does not matter.
      let isWrite =
        item.method == "DELETE"
        || item.method == "PUT" && !item.body.writesOnlyRelations
      if isWrite, !rows.insert(item.path).inserted {
        report(.rowTwiceInBatch, request, "The batch has two operations on \(item.path).")
      }
      let route = Route(item.method ?? "", item.path)
      if call.body["transaction"] == true, route == nil || route == .batch {
        report(
          .unroutableInTransaction, request,
          "The transaction has an operation without a route: \(item.method ?? "") \(item.path).")
      }
    }
  }
}

extension LoopbackValue {
  /// Whether it changes members of relations and nothing else.
  fileprivate var writesOnlyRelations: Bool {
    let operations = (object ?? [:]).values.map { $0["__op"]?.string }
    return !operations.isEmpty
      && operations.allSatisfy { $0 == "AddRelation" || $0 == "RemoveRelation" }
  }
}
