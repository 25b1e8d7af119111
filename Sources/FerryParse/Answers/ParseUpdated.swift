// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// The answer to an update.
package struct ParseUpdated: Sendable, Equatable {
  package var updatedAt: String
  /// Fields that the server set to other values than it received, and results of operations.
  package var changes: [String: Value]

  package init(updatedAt: String, changes: [String: Value] = [:]) {
    self.updatedAt = updatedAt
    self.changes = changes
  }
}
