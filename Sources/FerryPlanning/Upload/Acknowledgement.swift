// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// The server's answer to a write that it carried out.
package struct Acknowledgement: Sendable {
  /// The id and the creation time of a new record.
  package struct Creation: Sendable {
    package var objectID: String
    package var time: Timestamp

    package init(objectID: String, time: Timestamp) {
      self.objectID = objectID
      self.time = time
    }
  }

  /// The answer to a create; nil for other writes.
  package var creation: Creation?
  /// The stamp in the answer; a delete has none.
  package var version: ServerVersion?
  /// The fields in the answer, as the server's triggers left them.
  package var changes: [String: Value]

  package init(
    creation: Creation? = nil, version: ServerVersion? = nil, changes: [String: Value] = [:]
  ) {
    self.creation = creation
    self.version = version
    self.changes = changes
  }
}
