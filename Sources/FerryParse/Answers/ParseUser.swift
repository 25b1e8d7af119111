// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// The user who owns a session token.
package struct ParseUser: Sendable, Equatable {
  package var objectID: String
  /// The token that a login returns.
  package var sessionToken: Secret?

  package init(objectID: String, sessionToken: Secret? = nil) {
    self.objectID = objectID
    self.sessionToken = sessionToken
  }
}
