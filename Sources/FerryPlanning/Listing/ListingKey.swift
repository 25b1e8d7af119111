// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// A row's key in the order of a listing: `updatedAt`, then `objectId` in the server's order.
package struct ListingKey: Codable, Hashable, Sendable {
  package var updatedAt: Timestamp
  package var objectID: String

  package init(updatedAt: Timestamp, objectID: String) {
    self.updatedAt = updatedAt
    self.objectID = objectID
  }
}
