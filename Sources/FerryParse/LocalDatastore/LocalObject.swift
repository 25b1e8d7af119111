// Ferry: offline-first sync for Parse Server. MIT licence.

package import Foundation

/// An object of another library, read: what the server had, and what the app has changed since.
package struct LocalObject: Sendable, Equatable {
  /// The server's id; nil for an object that the server does not have.
  package var objectID: String?
  /// The record in the form of a server's answer, as the server last sent it.
  package var record: Data
  /// Whether the record has all of its fields.
  package var isComplete: Bool
  /// The names of the record's fields.
  package var names: Set<String>
  /// The unsent edits, oldest first.
  package var edits: [LocalEdit]
  /// Whether the app has deleted the object.
  package var isDeleted: Bool
  /// The kind of request that waits, if the object is the SDK's note of one.
  package var pinnedCommand: Int64?

  /// The names that the SDK itself writes beside the fields.
  static let ownNames: Set<String> = [
    "__complete", "__operations", "__type", "className", "isDeletingEventually",
  ]
  /// The names that every record has.
  static let recordNames: Set<String> = ["objectId", "createdAt", "updatedAt", "ACL"]
}
