// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel
package import FerryPlanning

/// A row that was created on this device, and what the server says of its record.
package struct RowBinding: Sendable {
  package var key: RecordKey
  /// The row's object id until now.
  package var old: String
  /// The object id of the record, which may be the same.
  package var objectID: String
  package var createdAt: Timestamp
  /// The access list that the record has, for a row without one; null if nobody knows it.
  package var acl: Value

  package init(
    key: RecordKey, from old: String, to objectID: String, createdAt: Timestamp,
    acl: Value = .null
  ) {
    self.key = key
    self.old = old
    self.objectID = objectID
    self.createdAt = createdAt
    self.acl = acl
  }
}
