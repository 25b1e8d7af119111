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

  package init(key: RecordKey, from old: String, to objectID: String, createdAt: Timestamp) {
    self.key = key
    self.old = old
    self.objectID = objectID
    self.createdAt = createdAt
  }
}
