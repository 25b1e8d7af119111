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
      let user = try account.exchange.user(.logIn) {
        $0.login(username: username, password: password)
      }
      return try account.logIn(user, by: .logIn)
    }
  }

  /// Logs in a user who has no name yet; the first log-in of a device makes the account.
  ///
  /// The credential store keeps the id by which the server knows this user. So the same device gets the same user again, also after a
  /// log-out, until `upgrade(username:password:)` gives the user a name. Who loses the credentials loses the user.
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
      let user = try account.exchange.user(.logIn) {
        $0.signUp(["authData": [provider: .object(authData)]])
      }
      return try account.logIn(user, by: .logIn)
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
      var user = try account.exchange.user(.fetchUser, in: token) { $0.currentUser() }
      user.sessionToken = token
      try account.checkUser(user)
      try account.update(user)
      return user
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

  /// Ends the session on the server, and forgets the user on this device.
  ///
  /// Unsent changes stay in the user's store. The store remains the user's: open it again after the next log-in.
  ///
  /// - Parameter evenOffline: Whether to forget the user also where the server does not answer. Its session then goes on
  ///   until it expires, though nobody here has the token.
  /// - Throws: `AccountError` where the server was not reached; then the user stays logged in. It is no error if nobody
  ///   is logged in, or the session has ended already.
  public func logOut(evenOffline: Bool = false) async throws(AccountError) {
    try await perform { account throws(AccountError) in
      if let token = try account.credentials().user?.sessionToken {
        do throws(AccountError) {
          try account.exchange.end(token)
        } catch {
          guard evenOffline, error.code != .cancelled else { throw error }
        }
      }
      try account.forgetUser()
    }
  }
}
