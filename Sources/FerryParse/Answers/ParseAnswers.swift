// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// The answer to a create.
package struct ParseCreated: Sendable, Equatable {
  package var objectID: String
  /// The moment of the create; the new row's `updatedAt` is the same.
  package var createdAt: String
  /// Fields the server set otherwise than asked, a patch: a field with `Delete` was removed.
  package var changes: [String: Value]

  package init(objectID: String, createdAt: String, changes: [String: Value] = [:]) {
    self.objectID = objectID
    self.createdAt = createdAt
    self.changes = changes
  }
}

/// The answer to an update.
package struct ParseUpdated: Sendable, Equatable {
  package var updatedAt: String
  /// Fields the server set otherwise than asked, and results of operations; a patch.
  package var changes: [String: Value]

  package init(updatedAt: String, changes: [String: Value] = [:]) {
    self.updatedAt = updatedAt
    self.changes = changes
  }
}

/// The answer to a write.
package enum WriteAnswer: Sendable, Equatable {
  case created(ParseCreated)
  case updated(ParseUpdated)
  case deleted
}

/// Whom a session token belongs to.
package struct ParseUser: Sendable, Equatable {
  package var objectID: String
  /// The token; given by a login.
  package var sessionToken: Secret?

  package init(objectID: String, sessionToken: Secret? = nil) {
    self.objectID = objectID
    self.sessionToken = sessionToken
  }
}
