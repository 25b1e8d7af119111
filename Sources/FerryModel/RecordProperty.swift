// Ferry: offline-first sync for Parse Server. MIT licence.

/// The columns that every row has besides its fields, by their names in conditions and orders.
package enum RecordProperty: String, Sendable {
  case objectID = "objectId"
  case localID = "localId"
  case createdAt
  case updatedAt

  /// The type in which it is compared.
  package var type: FieldType {
    switch self {
    case .objectID: .text
    case .localID: .integer
    case .createdAt, .updatedAt: .date
    }
  }
}

extension Record {
  /// The value of a declared field, or of what every row has.
  package func comparable(_ name: String) -> Value {
    switch RecordProperty(rawValue: name) {
    case .objectID: .string(objectID)
    case .localID: .integer(localID.rawValue)
    case .createdAt: createdAt.map(Value.date) ?? .null
    case .updatedAt: version?.timestamp.map(Value.date) ?? .null
    case nil: self[name]
    }
  }
}
