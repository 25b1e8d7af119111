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
