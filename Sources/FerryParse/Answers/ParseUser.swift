// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

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
