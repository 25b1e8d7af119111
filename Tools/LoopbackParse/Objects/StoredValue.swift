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
    case "Polygon":
      let area = try PlaneArea(polygon: members["coordinates"])
      return ["__type": "Polygon", "coordinates": area.coordinates]
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
}
