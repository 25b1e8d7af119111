// Ferry: offline-first sync for Parse Server. MIT licence.

extension LoopbackBackend {
  /// Refuses what the server's own SDK cannot make an object of, for LiveQuery, after it was stored.
  ///
  /// So a client reads of a failure, and the row is there all the same.
  func checkLiveObject(
    _ className: String, _ fields: [String: LoopbackValue]
  ) throws(Refusal) {
    if let list = fields["ACL"], list != .null, list["__op"] == nil { try Self.checkList(list) }
    for value in fields.values where value["__op"] == "Increment" && value["amount"]?.number == nil
    {
      throw .bare
    }
    for value in fields.values where Self.namesSeveralClasses(value) { throw .bare }
    for value in fields.values where value.typeName == "GeoPoint" {
      let latitude = value["latitude"]?.number ?? 0
      let longitude = value["longitude"]?.number ?? 0
      guard abs(latitude) <= 90, abs(longitude) <= 180 else { throw .bare }
    }
    for value in fields.values where value.typeName == "Polygon" {
      for pair in value["coordinates"]?.array ?? [] {
        let degrees = pair.array?.compactMap(\.number) ?? []
        guard degrees.count == 2, pair.array?.count == 2, abs(degrees[0]) <= 90,
          abs(degrees[1]) <= 180
        else { throw .bare }
      }
    }
  }

  /// Whether an operation on a relation names records of more than one class; the server looks at the first one only.
  private static func namesSeveralClasses(_ value: LoopbackValue) -> Bool {
    let steps = value["__op"] == "Batch" ? value["ops"]?.array ?? [] : [value]
    let relations = steps.filter { ["AddRelation", "RemoveRelation"].contains($0["__op"]?.string) }
    return Set(relations.flatMap { $0["objects"]?.array ?? [] }.map { $0["className"] }).count > 1
  }

  private static func checkList(_ list: LoopbackValue) throws(Refusal) {
    guard list.object != nil || list.array != nil else {
      throw .parse(-1, "ACL must be a Parse ACL.")
    }
    for rights in (list.object ?? [:]).values {
      for (right, value) in rights.object ?? [:] {
        guard right == "read" || right == "write", value.bool != nil else { throw .bare }
      }
    }
  }
}
