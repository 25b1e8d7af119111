// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryParse

/// Who is logged in on this device, as a `CredentialStore` keeps it.
///
/// It contains secrets, and shows none of them when it is printed.
public struct Credentials: Sendable, Equatable {
  /// The server that knows them, by address, mount path and application id; nil before the first request.
  public var server: String?
  /// The user who is logged in, with the token of the session; nil for nobody.
  public var user: ParseUser?
  /// The id by which this device logs in anonymously; who knows it is that user.
  public var anonymousID: Secret?

  /// Credentials of nobody, by default.
  public init(server: String? = nil, user: ParseUser? = nil, anonymousID: Secret? = nil) {
    self.server = server
    self.user = user
    self.anonymousID = anonymousID
  }

  /// Whether a server may see these credentials; another one must not get the token.
  ///
  /// - Parameter server: The server to which requests go.
  /// - Returns: True also for credentials that no server has seen yet, and for those of nobody.
  public func belong(to server: ParseServer) -> Bool {
    user == nil && anonymousID == nil || self.server == nil || self.server == server.identity
  }
}
