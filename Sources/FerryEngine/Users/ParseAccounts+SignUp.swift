// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
public import FerryParse

extension ParseAccounts {
  /// Makes an account and logs its user in.
  ///
  /// If the answer is lost, Ferry logs in with the name and the password to find out whether the account was made.
  ///
  /// - Parameters:
  ///   - username: The name; the server takes two names that differ in capital letters only for the same.
  ///   - password: The password.
  ///   - email: An e-mail address, by which the user can get a new password.
  /// - Returns: The user, with the token of the session.
  /// - Throws: `AccountError`, with code `usernameTaken` or `emailTaken` where another user has them, `otherUser` where a
  ///   user is logged in on this device, and `emailNotVerified` where the account was made and the server wants the
  ///   address confirmed before a log-in.
  @discardableResult
  public func signUp(
    username: String, password: Secret, email: String? = nil
  ) async throws(AccountError) -> ParseUser {
    var fields = Self.fields(username, password)
    fields["email"] = email.map { .string($0) }
    return try await perform { [fields] account throws(AccountError) in
      try account.checkNobody()
      var user = try account.lookingAfterLoss(username, password) { () throws(AccountError) in
        try account.exchange.user(.signUp, hiding: [password]) { $0.signUp(fields) }
      }
      // The answer to a new account does not repeat what was sent.
      user.username = user.username ?? username
      user.email = user.email ?? email
      return try account.logIn(user, by: .signUp)
    }
  }

  /// Gives an anonymous user a name and a password; the user's id and records stay.
  ///
  /// The server ends all other sessions of the user, and the anonymous id is nobody's any more. If the answer is lost,
  /// Ferry logs in with the name and the password to find out.
  ///
  /// - Parameters:
  ///   - username: The name.
  ///   - password: The password.
  ///   - email: An e-mail address, by which the user can get a new password.
  /// - Returns: The user, with the token of a new session.
  /// - Throws: `AccountError`, with code `usernameTaken` where another user has the name, and `invalidInput` where the user
  ///   who is logged in has a name already.
  @discardableResult
  public func upgrade(
    username: String, password: Secret, email: String? = nil
  ) async throws(AccountError) -> ParseUser {
    var fields = Self.fields(username, password)
    fields["email"] = email.map { .string($0) }
    fields["authData"] = ["anonymous": .null]
    return try await perform { [fields] account throws(AccountError) in
      let (user, token) = try account.presentUser()
      guard user.isAnonymous else {
        throw AccountError(
          .invalidInput,
          "The user \(user.username ?? user.objectID) is not anonymous. Nothing was sent. Sign another user up after a "
            + "log-out.")
      }
      var named = try account.lookingAfterLoss(username, password) { () throws(AccountError) in
        ParseUser(
          objectID: user.objectID, email: email ?? user.email,
          sessionToken: try account.exchange.upgrade(user, fields, hiding: password) ?? token)
      }
      named.username = named.username ?? username
      return try account.logIn(named, by: .upgrade)
    }
  }

  /// Has the server send a mail with which the user sets a new password.
  ///
  /// The server does not say whether it knows the address.
  ///
  /// - Parameter email: The user's address.
  /// - Throws: `AccountError`, with code `refused` where the server cannot send mail.
  public func requestPasswordReset(email: String) async throws(AccountError) {
    try await perform { account throws(AccountError) in
      try account.exchange.requestPasswordReset(email)
    }
  }

  private static func fields(_ username: String, _ password: Secret) -> [String: FerryModel.Value] {
    ["username": .string(username), "password": .string(password.text)]
  }
}

extension AccountWork {
  /// Makes a request that gives a user a name and a password; after a lost answer, a log-in with them finds out whether
  /// the server carried it out.
  fileprivate func lookingAfterLoss(
    _ username: String, _ password: Secret, _ request: () throws(AccountError) -> ParseUser
  ) throws(AccountError) -> ParseUser {
    do throws(AccountError) {
      return try request()
    } catch  where error.code == .outcomeUnknown && !exchange.cancellation.isCancelled {
      let found = try? exchange.user(.logIn) { $0.login(username: username, password: password) }
      guard let found else { throw error }
      return found
    }
  }
}
