// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// The answer to a create.
package struct ParseCreated: Sendable, Equatable {
  package var objectID: String
  /// The time of the create; the new row's `updatedAt` is the same.
  package var createdAt: String
  /// Fields that the server set to other values than it received; `Delete` marks a removed field.
  package var changes: [String: Value]

  package init(objectID: String, createdAt: String, changes: [String: Value] = [:]) {
    self.objectID = objectID
    self.createdAt = createdAt
    self.changes = changes
  }
}
