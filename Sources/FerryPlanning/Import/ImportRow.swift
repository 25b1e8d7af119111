// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// A complete row as an import writes it, its values in the order of the entity's fields.
package struct ImportRow: Sendable, Equatable {
  /// The row to overwrite; nil inserts a row, under the local id that its object id had before, if
  /// any.
  package var localID: LocalID?
  package var objectID: String
  package var createdAt: Timestamp
  /// The version to store; nil marks the row as not seen yet, so that the next listing applies it.
  package var version: ServerVersion?
  package var acl: Value
  package var values: [Value]
  /// The fields whose values differ from those of the row to overwrite; nil where nobody compared them.
  package var changed: FieldPositions?
  /// Whether the access list differs from that of the row to overwrite; known where `changed` is.
  package var hasOtherACL = false

  package init(
    localID: LocalID? = nil, objectID: String, createdAt: Timestamp, version: ServerVersion?,
    acl: Value, values: [Value], changed: FieldPositions? = nil
  ) {
    self.localID = localID
    self.objectID = objectID
    self.createdAt = createdAt
    self.version = version
    self.acl = acl
    self.values = values
    self.changed = changed
  }
}
