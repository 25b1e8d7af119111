// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel

/// A user of the server, as a log-in shows it.
///
/// `ParseAccounts` makes one. An app makes one in tests, or where it keeps credentials itself.
public struct ParseUser: Sendable, Equatable {
  /// The id of the user's record; access lists name users by it.
  public var objectID: String
  /// The name to log in with; the server makes one up for a user who has not chosen one.
  public var username: String?
  /// The e-mail address, if the server shows one.
  public var email: String?
  /// Whether the user is anonymous: without a name or a third party's account, and known to one device only.
  public var isAnonymous: Bool
  /// The token of the session; nil where the server gave none.
  public var sessionToken: Secret?

  /// A user, as a log-in shows it.
  public init(
    objectID: String, username: String? = nil, email: String? = nil, isAnonymous: Bool = false,
    sessionToken: Secret? = nil
  ) {
    self.objectID = objectID
    self.username = username
    self.email = email
    self.isAnonymous = isAnonymous
    self.sessionToken = sessionToken
  }
}

extension ParseUser {
  /// The user in access lists.
  ///
  /// ```swift
  /// if let anna = try await accounts.user() {
  ///   let mine: AccessList = [anna.party: .readWrite, .everyone: .read]
  ///   print(mine.rights.count)
  /// }
  /// ```
  public var party: AccessList.Party { .user(objectID) }

  /// Reads a user, as the server answers a log-in, a sign-up or the question whose session it is; nil without an id.
  init?(_ root: JSONElement) {
    guard let objectID = root["objectId"]?.string, !objectID.isEmpty else { return nil }
    self.init(
      objectID: objectID, username: root["username"]?.string, email: root["email"]?.string,
      isAnonymous: root["authData"]?["anonymous"]?.kind == .object,
      sessionToken: root["sessionToken"]?.string.map { Secret($0) })
  }
}
