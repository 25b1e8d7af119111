// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryHTTP
package import FerryModel

// Users and their sessions, as `UsersRouter` of Parse Server 9 has them.
extension ParseRequests {
  /// Asks the server who owns the session token.
  package func currentUser() -> HTTPRequest { get(.currentUser) }

  /// Makes an account and logs its user in, or logs in the user of the `authData`; no session takes part.
  package func signUp(_ fields: [String: Value]) -> HTTPRequest {
    withoutSession(request(.post, .users, fields, isWrite: true))
  }

  /// Logs a user in by name or e-mail address and password.
  package func login(username: String, password: Secret) -> HTTPRequest {
    withoutSession(
      request(
        .post, .login, ["username": .string(username), "password": .string(password.text)],
        isWrite: true))
  }

  /// Changes a user's own account; a new password ends all sessions, and the answer has a new token.
  package func update(
    userID: String, _ fields: [String: Value]
  ) throws(RequestError) -> HTTPRequest {
    request(.put, try ParsePath(userID: userID), fields, isWrite: true)
  }

  /// Ends the session.
  package func logout() -> HTTPRequest { request(.post, .logout, [:], isWrite: true) }

  /// Has the server send a mail with which the user sets a new password.
  package func passwordReset(email: String) -> HTTPRequest {
    withoutSession(request(.post, .passwordReset, ["email": .string(email)], isWrite: true))
  }

  private func withoutSession(_ request: HTTPRequest) -> HTTPRequest {
    var request = request
    request.headers = server.headers(withSession: false)
    return request
  }
}
