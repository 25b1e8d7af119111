// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryHTTP
package import FerryModel

// Users and their sessions, as `UsersRouter` of Parse Server 9 has them.
extension ParseRequests {
  /// Asks the server who owns the session token.
  package func currentUser() -> HTTPRequest { get(.currentUser) }

  /// Makes an account and logs its user in, or logs in the user of the `authData`; no session takes part.
  package func signUp(_ fields: [String: Value]) -> HTTPRequest {
    hiding(fields, withoutSession(request(.post, .users, fields, isWrite: true)))
  }

  /// Logs a user in by name or e-mail address and password.
  package func login(username: String, password: Secret) -> HTTPRequest {
    let fields: [String: Value] = [
      "username": .string(username), "password": .string(password.text),
    ]
    return hiding(fields, withoutSession(request(.post, .login, fields, isWrite: true)))
  }

  /// Changes a user's own account; a new password ends all sessions, and the answer has a new token.
  package func update(
    userID: String, _ fields: [String: Value]
  ) throws(RequestError) -> HTTPRequest {
    hiding(fields, request(.put, try ParsePath(userID: userID), fields, isWrite: true))
  }

  /// Ends the session.
  package func logout() -> HTTPRequest { request(.post, .logout, [:], isWrite: true) }

  /// Has the server send a mail with which the user sets a new password.
  package func passwordReset(email: String) -> HTTPRequest {
    withoutSession(request(.post, .passwordReset, ["email": .string(email)], isWrite: true))
  }

  /// The same request, whose password and data of third parties no error may contain.
  private func hiding(_ fields: [String: Value], _ request: HTTPRequest) -> HTTPRequest {
    var request = request
    for field in ["password", "authData"] {
      request.bodySecrets += fields[field]?.texts.flatMap(Self.spellings) ?? []
    }
    return request
  }

  /// A text, as JSON writes it, and as JSON writes it that contains JSON: the longest first.
  private static func spellings(_ secret: String) -> [String] {
    // A text of one or two characters is a part of many words.
    guard secret.utf8.count > 2 else { return [] }
    func quoted(_ text: String) -> String {
      String(WireJSON.text(.string(text)).dropFirst().dropLast())
    }
    let once = quoted(secret)
    return once == secret ? [secret] : [quoted(once), once, secret]
  }

  private func withoutSession(_ request: HTTPRequest) -> HTTPRequest {
    var request = request
    request.headers = server.headers(withSession: false)
    return request
  }
}

extension Value {
  /// The texts in the value, at any depth.
  fileprivate var texts: [String] {
    switch self {
    case .string(let text): [text]
    case .object(let members): members.values.flatMap(\.texts)
    case .array(let elements): elements.flatMap(\.texts)
    default: []
    }
  }
}
