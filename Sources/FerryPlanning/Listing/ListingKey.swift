// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// A row's place in the order of a listing: by `updatedAt`, then by `objectId` as the server sorts it.
package struct ListingKey: Codable, Hashable, Sendable {
  package var updatedAt: Timestamp
  package var objectID: String

  package init(updatedAt: Timestamp, objectID: String) {
    self.updatedAt = updatedAt
    self.objectID = objectID
  }
}
