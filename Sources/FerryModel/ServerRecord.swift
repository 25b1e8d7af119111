// Ferry: offline-first sync for Parse Server. MIT licence.

/// One record as the server sent it, its values in the order of the entity's fields.
package struct ServerRecord: Sendable, Equatable {
  package var objectID: String
  package var createdAt: Timestamp
  /// The server's `updatedAt`, letter for letter.
  package var version: ServerVersion
  /// The access control list; null if the server sent none.
  package var acl: Value
  /// One value for each of the entity's fields; null if the server sent none.
  package var values: [Value]
  /// The value of the client key field, if the query requested it.
  package var clientKey: String?

  package init(
    objectID: String, createdAt: Timestamp, version: ServerVersion, acl: Value = .null,
    values: [Value], clientKey: String? = nil
  ) {
    self.objectID = objectID
    self.createdAt = createdAt
    self.version = version
    self.acl = acl
    self.values = values
    self.clientKey = clientKey
  }

  /// The fields that have a value, by name.
  package func fields(of entity: Entity) -> Fields {
    var fields: [String: Value] = [:]
    for (field, value) in zip(entity.fields, values) where !value.isNull {
      fields[field.name] = value
    }
    return Fields(fields)
  }
}
