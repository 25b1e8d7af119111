// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
public import FerryParse

extension ParseAccounts {
  /// Logs a user in by name and password.
  ///
  /// The same user may log in again, as after the end of a session.
  ///
  /// - Parameters:
  ///   - username: The name, or the e-mail address; the server tells capital letters from small ones.
  ///   - password: The password.
  /// - Returns: The user, with the token of a new session.
  /// - Throws: `AccountError`, with code `wrongPassword` also for an unknown name, and `otherUser` where another user is
  ///   logged in on this device.
  @discardableResult
  public func logIn(username: String, password: Secret) async throws(AccountError) -> ParseUser {
    try await perform { account throws(AccountError) in
      _ = try account.credentials()
      let user = try account.exchange.user(.logIn, hiding: [password]) {
        $0.login(username: username, password: password)
      }
      return try account.logIn(user, by: .logIn)
    }
  }

  /// Logs in a user who has no name yet; the first log-in of a device makes the account.
  ///
  /// The credential store keeps the id by which the server knows this user. So the same device gets the same user
  /// again, also after a log-out, until `upgrade(username:password:email:)` gives the user a name. Who loses the credentials loses the user.
  ///
  /// - Returns: The user, with the token of a new session.
  /// - Throws: `AccountError`, with code `otherUser` where another user is logged in on this device.
  @discardableResult
  public func logInAnonymously() async throws(AccountError) -> ParseUser {
    try await perform { account throws(AccountError) in try account.logInAnonymously() }
  }

  /// Logs a user in by an account of a third party; the first log-in makes the account.
  ///
  /// - Parameters:
  ///   - provider: The provider's name in the server's configuration, such as `apple`.
  ///   - authData: The data that the provider gave the app.
  /// - Returns: The user, with the token of a new session.
  /// - Throws: `AccountError`, with code `refused` where the server does not take the provider.
  @discardableResult
  public func logIn(
    with provider: String, authData: [String: Value]
  ) async throws(AccountError) -> ParseUser {
    guard !provider.isEmpty, authData.values.contains(where: { !$0.isNull && $0 != "" }) else {
      throw AccountError(
        .invalidInput,
        "A provider without a name or data names no account. Nothing was sent. Give what the provider gave the app."
      )
    }
    return try await perform { account throws(AccountError) in
      _ = try account.credentials()
      let user = try account.exchange.user(
        .logInByProvider, hiding: authData.values.flatMap(\.secrets)
      ) {
        $0.signUp(["authData": [provider: .object(authData)]])
      }
      return try account.logIn(user, by: .logInByProvider)
    }
  }

  /// Logs a user in by the token of a session that was begun elsewhere.
  ///
  /// - Parameter token: The token of the session.
  /// - Returns: The user, with that token.
  /// - Throws: `AccountError`, with code `sessionEnded` for a token that the server does not take.
  @discardableResult
  public func become(_ token: Secret) async throws(AccountError) -> ParseUser {
    try await perform { account throws(AccountError) in
      _ = try account.credentials()
      var user = try account.exchange.user(.fetchUser, in: token) { $0.currentUser() }
      user.sessionToken = token
      return try account.become(user)
    }
  }

  /// Takes over the credentials of a server that has a new address, path or application id.
  ///
  /// Credentials know their server, so that no other server gets the token. Call this once after the move, before the sync
  /// that adopts `.movedServer`, and only for an address that you trust: the next request sends the token there. This
  /// call sends nothing.
  ///
  /// - Throws: `AccountError` with code `credentials` where they cannot be read or kept.
  public func followMovedServer() async throws(AccountError) {
    try await perform { account throws(AccountError) in
      try account.change(ofAnyServer: true) { _ in }
    }
  }

  /// Asks the server whose session this is; it finds out whether the session goes on.
  ///
  /// - Returns: The user as the server has it now, which is kept, too.
  /// - Throws: `AccountError`, with code `nobody` where nobody is logged in on this device, and `sessionEnded` where the
  ///   user has to log in again.
  @discardableResult
  public func fetchUser() async throws(AccountError) -> ParseUser {
    try await perform { account throws(AccountError) in
      let token = try account.presentUser().token
      var user = try account.exchange.user(.fetchUser, in: token) { $0.currentUser() }
      user.sessionToken = token
      try account.update(user)
      return user
    }
  }
}

extension Value {
  /// The texts in what a provider gave, at any depth: each may be a secret.
  fileprivate var secrets: [Secret] {
    switch self {
    case .string(let text): [Secret(text)]
    case .object(let members): members.values.flatMap(\.secrets)
    case .array(let elements): elements.flatMap(\.secrets)
    default: []
    }
  }
}
