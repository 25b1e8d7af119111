// Ferry: offline-first sync for Parse Server. MIT licence.

/// Relations live in tables of their own, beside the rows.
extension LoopbackBackend {
  /// Carries out the relation operations among the fields of a write.
  mutating func changeRelations(
    _ className: String, _ owner: String, _ fields: [String: LoopbackValue]
  ) {
    for (name, value) in fields {
      guard let operation = value["__op"] else { continue }
      let steps = operation == "Batch" ? value["ops"]?.array ?? [] : [value]
      for step in steps { changeRelation(className, name, owner, step) }
    }
  }

  private mutating func changeRelation(
    _ className: String, _ name: String, _ owner: String, _ step: LoopbackValue
  ) {
    guard step["__op"] == "AddRelation" || step["__op"] == "RemoveRelation" else { return }
    for target in step["objects"]?.array ?? [] {
      guard let id = target["objectId"]?.string else { continue }
      if step["__op"] == "AddRelation" {
        tables[className]?.relations[name, default: [:]][owner, default: []].insert(id)
      } else {
        tables[className]?.relations[name, default: [:]][owner]?.remove(id)
      }
    }
  }

  /// The pairs of a relation as the server lists them, as the class `_Join:FIELD:CLASS`, to the master key alone.
  ///
  /// The double knows no conditions here; it lists all pairs.
  ///
  /// - Parameters:
  ///   - className: The name of the class that a query asks for.
  ///   - options: The page that it asks for.
  ///   - caller: Who asks.
  /// - Returns: The pairs; nil for any other class.
  /// - Throws: 119, if anyone but the master asks.
  func pairs(
    of className: String, _ options: FindOptions, for caller: Caller
  ) throws(Refusal) -> Answer? {
    let parts = className.split(separator: ":").map(String.init)
    guard parts.count == 3, parts[0] == "_Join" else { return nil }
    guard caller.isMaster else { throw .notPermitted }
    let owners = tables[parts[2]]?.relations[parts[1]] ?? [:]
    let pairs = owners.sorted { $0.key < $1.key }.flatMap { owner, members in
      members.sorted().map {
        LoopbackValue.object(["owningId": .string(owner), "relatedId": .string($0)])
      }
    }
    return Answer(json: [
      "results": .array(Array(pairs.dropFirst(options.skip).prefix(options.limit)))
    ])
  }

  /// The ids of the members of each owner, also of rows that are gone.
  package func members(of className: String, _ field: String) -> [String: Set<String>] {
    tables[className]?.relations[field] ?? [:]
  }

  /// The rows a relation leads to.
  func related(_ className: String, _ owner: String, _ field: String) -> Set<String> {
    tables[className]?.relations[field]?[owner] ?? []
  }

  /// The rows whose relation leads to a row.
  func owners(_ className: String, _ field: String, of target: String) -> Set<String> {
    let members = tables[className]?.relations[field] ?? [:]
    return Set(members.filter { $0.value.contains(target) }.keys)
  }
}
