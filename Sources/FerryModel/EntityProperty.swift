// Ferry: offline-first sync for Parse Server. MIT licence.

/// The properties that a `SyncEntity` may have besides declared fields.
enum EntityProperty {
  static let id = "id"
  static let objectID = "objectId"
  static let createdAt = "createdAt"
  static let updatedAt = "updatedAt"

  /// Properties that Ferry fills when it reads a row, and never writes.
  static func readOnly(of record: Record) -> [String: Value] {
    [
      id: .integer(record.localID.rawValue),
      objectID: .string(record.objectID),
      createdAt: record.createdAt.map(Value.date) ?? .null,
      updatedAt: record.version?.timestamp.map(Value.date) ?? .null,
    ]
  }

  static let names: Set<String> = [id, objectID, createdAt, updatedAt]
}
