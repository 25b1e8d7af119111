// Ferry: offline-first sync for Parse Server. MIT licence.

/// What a `SyncEntity` may hold beside declared fields.
enum EntityProperty {
  static let id = "id"
  /// What comes with a row and is never written to it.
  static func readOnly(of record: Record) -> [String: Value] {
    [
      id: .integer(record.localID.rawValue),
      "objectId": .string(record.objectID),
      "createdAt": record.createdAt.map(Value.date) ?? .null,
      "updatedAt": record.version?.timestamp.map(Value.date) ?? .null,
    ]
  }

  static let names: Set<String> = [id, "objectId", "createdAt", "updatedAt"]
}
