// Ferry: offline-first sync for Parse Server. MIT licence.

/// One row of a registered class, with the server's bookkeeping beside its fields.
public struct Record: Sendable, Equatable {
  /// The class.
  public var className: String
  /// The app's stable key.
  public var localID: LocalID
  /// The server's id, or a minted id while the server has not chosen one.
  public var objectID: String
  /// The declared fields that have a value.
  public var fields: Fields
  /// The access control list, in Parse's form; null for a record without one.
  public var acl: Value
  /// When the server created the record; nil for a row the server does not know.
  public var createdAt: Timestamp?
  /// The version that a download brought last; nil for a row that none has brought since its create.
  public var version: ServerVersion?

  /// A record made of its parts.
  public init(
    className: String, localID: LocalID = LocalID(), objectID: String, fields: Fields,
    acl: Value = .null, createdAt: Timestamp? = nil, version: ServerVersion? = nil
  ) {
    self.className = className
    self.localID = localID
    self.objectID = objectID
    self.fields = fields
    self.acl = acl
    self.createdAt = createdAt
    self.version = version
  }

  /// A field's value; null if the field has none.
  public subscript(field: String) -> Value { fields[field] ?? .null }

  /// The same row, as one that the server does not have.
  package var unknownToServer: Record {
    var record = self
    (record.createdAt, record.version) = (nil, nil)
    return record
  }

  /// The names of this row, for pointers of other rows.
  public var reference: RecordReference {
    RecordReference(className: className, localID: localID, objectID: objectID)
  }
}
