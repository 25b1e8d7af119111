// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
package import LoopbackParse

extension TestServer {
  /// A user who has just signed up, with a session.
  package struct User: Sendable {
    package var objectID: String
    package var token: String

    /// An access control list that lets only this user in.
    package var own: LoopbackValue { [objectID: ["read": true, "write": true]] }
  }

  /// Makes a user whose password is “secret”.
  package func signUp(_ name: String) throws -> User {
    let answer = try send(
      .post, "/users", ["username": .string(name), "password": "secret"], headers: Self.anyone)
    return User(
      objectID: answer["objectId"]?.string ?? "", token: answer["sessionToken"]?.string ?? "")
  }

  /// Logs in a user who signed up; returns the token of the new session.
  package func logIn(_ name: String) throws -> String {
    let answer = try send(
      .post, "/login", ["username": .string(name), "password": "secret"], headers: Self.anyone)
    return answer["sessionToken"]?.string ?? ""
  }

  /// Ends a session, so that its token is invalid from now on.
  package func endSession(_ token: String) throws {
    var headers = Self.anyone
    headers["X-Parse-Session-Token"] = token
    try send(.post, "/logout", headers: headers)
  }
}
