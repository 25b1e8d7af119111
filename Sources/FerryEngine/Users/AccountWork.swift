// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import Foundation

/// The work of an account request on its thread: it asks the server, and keeps the user.
///
/// Other requests, also of other processes, may log users in and out meanwhile. So each change of the credentials looks at
/// them anew.
struct AccountWork {
  let exchange: AccountExchange
  let keeper: any CredentialStore

  // MARK: Credentials

  /// The credentials, if they are those of this server.
  func credentials() throws(AccountError) -> Credentials {
    do {
      let credentials = try keeper.read()
      try check(credentials)
      return credentials
    } catch let error as AccountError {
      throw error
    } catch {
      throw AccountError(
        .credentials, "The credentials cannot be read. \(error)", cause: error)
    }
  }

  /// Changes the credentials, which are those of this server then.
  func change<Result>(
    ofAnyServer takesAny: Bool = false,
    _ body: (inout Credentials) throws(AccountError) -> Result
  ) throws(AccountError) -> Result {
    do {
      return try keeper.change { credentials in
        if !takesAny { try check(credentials) }
        let result = try body(&credentials)
        credentials.server = exchange.server.identity
        return result
      }
    } catch let error as AccountError {
      throw error
    } catch {
      throw AccountError(
        .credentials, "The credentials cannot be kept; the earlier ones stay. \(error)",
        cause: error)
    }
  }

  private func check(_ credentials: Credentials) throws(AccountError) {
    guard credentials.belong(to: exchange.server) else {
      throw AccountError(
        .otherServer,
        "The credentials are those of another server: \(credentials.server ?? "an unknown one"). Nothing was sent to "
          + "\(exchange.server.identity), and they stay. Keep those of each server in a place of their own. If the server "
          + "has moved, call followMovedServer() first.")
    }
  }

  // MARK: Users

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
    throw AccountError(
      .otherUser, "\(user.words) is logged in on this device. Nothing was sent. Log out first.")
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
    let made = request == .signUp ? "The account was made, but the" : "The"
    guard let token = user.sessionToken else {
      throw AccountError(
        .emailNotVerified,
        "\(made) user was not logged in: the server gave no session. Follow the link in the server's mail, and log in then."
      )
    }
    do throws(AccountError) {
      try become(user, byUpgrade: request == .upgrade)
    } catch {
      try? exchange.end(token)
      guard error.code == .credentials else { throw error }
      throw AccountError(
        .credentials, "\(made) user was not logged in. \(error.message)", cause: error.cause)
    }
    return user
  }

  /// Keeps `user` as the one who is logged in, unless another one is.
  ///
  /// The server has forgotten the anonymous id of a user who was upgraded, so it goes here, too.
  @discardableResult
  func become(_ user: ParseUser, byUpgrade isUpgrade: Bool = false) throws(AccountError)
    -> ParseUser
  {
    try change { credentials throws(AccountError) in
      if let other = credentials.user, other.objectID != user.objectID {
        throw AccountError(
          .otherUser,
          "\(other.words) is still logged in on this device, and stays. Nobody else was logged in. Log out first."
        )
      }
      if isUpgrade {
        credentials.anonymousID = nil
        guard credentials.user != nil else { throw Self.loggedOutMeanwhile }
      }
      credentials.user = user
      return user
    }
  }

  /// Logs in by the anonymous id of this device, and makes the id at the first time.
  ///
  /// The id is kept before it is sent, so that a lost answer leaves no account that nobody knows.
  func logInAnonymously() throws(AccountError) -> ParseUser {
    let id = try change { credentials in
      let id = credentials.anonymousID ?? Secret(UUID().uuidString.lowercased())
      credentials.anonymousID = id
      return id
    }
    return try logIn(try anonymousUser(by: id), by: .logIn)
  }

  private func anonymousUser(by id: Secret) throws(AccountError) -> ParseUser {
    var user = try exchange.user(.logIn, hiding: [id]) { requests in
      requests.signUp(["authData": ["anonymous": ["id": .string(id.text)]]])
    }
    user.isAnonymous = true
    return user
  }

  /// A new session for an anonymous user whose session has ended; nil where the user has to log in.
  ///
  /// A user who was logged out meanwhile, or got a name, stays so, and the new session ends again.
  func renewed(_ user: ParseUser, afterEnd ended: Secret) throws(AccountError) -> Secret? {
    guard user.isAnonymous, let id = try credentials().anonymousID else { return nil }
    let renewed = try anonymousUser(by: id)
    let isKept = try change { credentials in
      guard renewed.objectID == user.objectID, credentials.user?.sessionToken == ended else {
        return false
      }
      credentials.user = renewed
      return true
    }
    guard !isKept else { return renewed.sessionToken }
    if let token = renewed.sessionToken { try? exchange.end(token) }
    return nil
  }

  /// Keeps what the server now shows of the user who is logged in, unless another session has begun meanwhile.
  func update(_ user: ParseUser) throws(AccountError) {
    // A question needs no right to write.
    guard try credentials().user != user else { return }
    try change { credentials throws(AccountError) in
      guard credentials.user?.sessionToken == user.sessionToken else {
        throw Self.loggedOutMeanwhile
      }
      credentials.user = user
    }
  }

  private static let loggedOutMeanwhile = AccountError(
    .otherUser,
    "The user was logged out meanwhile, or logged in anew, and this request changes nothing here. Ask who is logged in."
  )

  /// Forgets the user of a session; the anonymous id stays, and so does a user who has logged in meanwhile.
  func forgetUser(of session: Secret?) throws(AccountError) {
    try change { credentials in
      if credentials.user?.sessionToken == session { credentials.user = nil }
    }
  }
}

extension ParseUser {
  /// The user, in a sentence.
  fileprivate var words: String {
    isAnonymous ? "An anonymous user" : "The user \(username ?? objectID)"
  }
}
