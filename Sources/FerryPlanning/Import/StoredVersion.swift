// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// The stored identity and version of a record, without its fields.
package struct StoredVersion: Sendable, Equatable {
  package var localID: LocalID
  package var objectID: String
  package var createdAt: Timestamp?
  package var version: ServerVersion?

  package init(
    localID: LocalID, objectID: String, createdAt: Timestamp?, version: ServerVersion?
  ) {
    self.localID = localID
    self.objectID = objectID
    self.createdAt = createdAt
    self.version = version
  }
}
