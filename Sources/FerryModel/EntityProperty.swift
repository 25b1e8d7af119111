// Ferry: offline-first sync for Parse Server. MIT licence.

/// The properties that a `SyncEntity` may have besides declared fields.
enum EntityProperty {
  static let id = "id"
  /// Properties that Ferry fills when it reads a row, and never writes.
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
