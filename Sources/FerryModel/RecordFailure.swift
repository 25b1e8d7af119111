// Ferry: offline-first sync for Parse Server. MIT licence.

package import Foundation

/// One record of a page that cannot be imported, with everything that quarantine stores.
package struct RecordFailure: Error, Sendable, Equatable {
  /// The record's id and version, as far as they could be read.
  package var objectID: String?
  package var version: ServerVersion?
  package var createdAt: Timestamp?
  /// The record's text, byte for byte as the server sent it.
  package var json: Data
  /// The fault, as a sentence.
  package var reason: String
  /// The readable part of a record that carries the soft-delete mark; nil for other records.
  package var markedAsDeleted: ServerRecord?
  /// Whether the record can be read, and a rule of another program keeps it out of its table.
  package var isRefusedByStore = false

  package init(
    objectID: String? = nil, version: ServerVersion? = nil, createdAt: Timestamp? = nil, json: Data,
    reason: String, markedAsDeleted: ServerRecord? = nil
  ) {
    self.objectID = objectID
    self.version = version
    self.createdAt = createdAt
    self.json = json
    self.reason = reason
    self.markedAsDeleted = markedAsDeleted
  }
}
