// Ferry: offline-first sync for Parse Server. MIT licence.

/// The form in which the database keeps a value, which is what comes back on reading.
enum StoredValue {
  /// Nil for null: a row of PostgreSQL does not tell null and missing apart.
  static func canonical(_ value: LoopbackValue) throws(Refusal) -> LoopbackValue? {
    guard case .object(let members) = value, let type = value.typeName else {
      return value == .null ? nil : value
    }
    func kept(_ names: String...) -> LoopbackValue {
      .object(members.filter { $0.key == "__type" || names.contains($0.key) })
    }
    switch type {
    case "Date": return try date(members["iso"])
    case "Pointer": return pointer(members)
    case "File": return kept("name")
    case "GeoPoint":
      guard members["latitude"]?.number != nil, members["longitude"]?.number != nil else {
        throw .bare
      }
      return kept("latitude", "longitude")
    case "Bytes": return kept("base64")
    case "Polygon": return try polygon(members["coordinates"])
    default: return value
    }
  }

  /// Of a pointer the column keeps the id's text; without one nothing is stored.
  private static func pointer(_ members: [String: LoopbackValue]) -> LoopbackValue? {
    guard let className = members["className"]?.string, let id = members["objectId"] else {
      return nil
    }
    return .pointer(className, id.string ?? JSONWriter.text(of: id))
  }

  private static func date(_ iso: LoopbackValue?) throws(Refusal) -> LoopbackValue {
    guard let text = iso?.string, let instant = Instant(text) else {
      throw .thrown(
        driverCode: "22007",
        text: "invalid input syntax for type timestamp with time zone: "
          + "\"\(iso?.string ?? "")\"")
    }
    return .date(instant.text)
  }

  /// A polygon's ring is closed when it is kept.
  private static func polygon(_ coordinates: LoopbackValue?) throws(Refusal) -> LoopbackValue {
    let points = coordinates?.array ?? []
    guard points.count >= 3, let first = points.first else {
      throw .parse(107, "Polygon must have at least 3 values")
    }
    for point in points {
      guard point.array?.count == 2, point.array?.allSatisfy({ $0.number != nil }) == true else {
        throw .bare
      }
      let degrees = (point.array ?? []).compactMap(\.number)
      guard abs(degrees[0]) <= 90, abs(degrees[1]) <= 180 else { throw .bare }
    }
    guard Set(points).count > 2 else {
      throw .parse(1, "GeoJSON: Loop must have at least 3 different vertices")
    }
    let ring = points.last == first ? points : points + [first]
    return ["__type": "Polygon", "coordinates": .array(ring)]
  }
}

/// Sets a value inside an object, by a path of names.
enum NestedFields {
  static func setting(
    _ path: ArraySlice<String>, of object: LoopbackValue?, to value: LoopbackValue?
  ) -> LoopbackValue? {
    guard let name = path.first else { return value }
    var members = object?.object ?? [:]
    members[name] = setting(path.dropFirst(), of: members[name], to: value)
    return .object(members)
  }

  static func value(_ path: ArraySlice<String>, of object: LoopbackValue?) -> LoopbackValue? {
    guard let name = path.first else { return object }
    return value(path.dropFirst(), of: object?[name])
  }
}
