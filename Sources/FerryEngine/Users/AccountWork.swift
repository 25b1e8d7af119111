// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import Foundation

/// The work of an account request on its thread: it asks the server, and keeps the user.
struct AccountWork {
  let exchange: AccountExchange
  let keeper: any CredentialStore

  func credentials() throws(AccountError) -> Credentials {
    let credentials: Credentials
    do {
      credentials = try keeper.read()
    } catch {
      throw AccountError(
        .credentials, "The credentials cannot be read. Nothing was sent. \(error)", cause: error)
    }
    guard credentials.belong(to: exchange.server) else {
      throw AccountError(
        .otherServer,
        "The credentials are those of another server, so nothing was sent. Keep those of each server in a place of their "
          + "own, or log out there first.")
    }
    return credentials
  }

  private func keep(_ credentials: Credentials) throws(AccountError) {
    var credentials = credentials
    credentials.server = exchange.server.identity
    do {
      try keeper.write(credentials)
    } catch {
      throw AccountError(
        .credentials, "The credentials cannot be kept; the earlier ones stay. \(error)",
        cause: error)
    }
  }

  /// The user who is logged in, for requests that need one.
  func presentUser() throws(AccountError) -> (user: ParseUser, token: Secret) {
    guard let user = try credentials().user, let token = user.sessionToken else {
      throw AccountError(
        .nobody, "Nobody is logged in on this device. Nothing was sent. Log in first.")
    }
    return (user, token)
  }

  /// Refuses an account beside the one that is logged in.
  func checkNobody() throws(AccountError) {
    guard let user = try credentials().user else { return }
    let remedy =
      user.isAnonymous
      ? "Give the anonymous user a name with upgrade(…), or log out first." : "Log out first."
    throw AccountError(
      .otherUser, "\(user.words) is logged in on this device. Nothing was sent. \(remedy)")
  }

  /// Refuses a user while another one is logged in.
  func checkUser(_ user: ParseUser) throws(AccountError) {
    guard let other = try credentials().user, other.objectID != user.objectID else { return }
    throw AccountError(
      .otherUser,
      "\(other.words) is still logged in on this device, and stays. Nobody else was logged in. Log out first."
    )
  }

  /// Makes `user` the one who is logged in.
  ///
  /// A session that cannot be kept ends again: nobody would know its token.
  ///
  /// - Parameters:
  ///   - user: The user, as the server answered.
  ///   - request: The kind of the request to which the server answered.
  /// - Returns: The user.
  /// - Throws: `AccountError` where another user is logged in, or the credentials cannot be kept.
  @discardableResult
  func logIn(_ user: ParseUser, by request: AccountRequest) throws(AccountError) -> ParseUser {
    guard let token = user.sessionToken else {
      let made = request == .signUp ? "The account was made, but nobody" : "Nobody"
      throw AccountError(
        .emailNotVerified,
        "\(made) was logged in: the server gave no session. Follow the link in the server's mail, and log in then."
      )
    }
    do throws(AccountError) {
      try checkUser(user)
      // The server has forgotten the id, too.
      try update(user, forgettingAnonymousID: request == .upgrade)
    } catch {
      try? exchange.end(token)
      throw error
    }
    return user
  }

  /// Logs in by the anonymous id of this device, and makes the id at the first time.
  ///
  /// The id is kept before it is sent, so that a lost answer leaves no account that nobody knows.
  func logInAnonymously() throws(AccountError) -> ParseUser {
    var credentials = try credentials()
    let id = credentials.anonymousID ?? Secret(UUID().uuidString.lowercased())
    if credentials.anonymousID == nil {
      credentials.anonymousID = id
      try keep(credentials)
    }
    var user = try exchange.user(.logIn) { requests in
      requests.signUp(["authData": ["anonymous": ["id": .string(id.text)]]])
    }
    user.isAnonymous = true
    return try logIn(user, by: .logIn)
  }

  /// Takes over what the server now shows of the user who is logged in.
  func update(_ user: ParseUser, forgettingAnonymousID forgets: Bool = false) throws(AccountError) {
    var credentials = try credentials()
    credentials.user = user
    if forgets { credentials.anonymousID = nil }
    try keep(credentials)
  }

  /// Makes it so that nobody is logged in; the anonymous id stays.
  func forgetUser() throws(AccountError) {
    var credentials = try credentials()
    credentials.user = nil
    try keep(credentials)
  }
}

extension ParseUser {
  /// The user, in a sentence.
  fileprivate var words: String {
    isAnonymous ? "An anonymous user" : "The user \(username ?? objectID)"
  }
}
