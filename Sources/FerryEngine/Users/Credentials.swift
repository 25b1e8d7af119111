// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryParse

/// Who is logged in on this device, as a `CredentialStore` keeps it.
///
/// It contains secrets, and shows none of them when it is printed.
public struct Credentials: Sendable, Equatable {
  /// The user who is logged in, with the token of the session; nil for nobody.
  public var user: ParseUser?
  /// The id by which this device logs in anonymously; who knows it is that user.
  public var anonymousID: Secret?

  /// Credentials of nobody, by default.
  public init(user: ParseUser? = nil, anonymousID: Secret? = nil) {
    self.user = user
    self.anonymousID = anonymousID
  }
}
