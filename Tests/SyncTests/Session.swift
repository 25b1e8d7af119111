// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryTestSupport
import LoopbackParse
import Synchronization

/// A user of the server whose session may end and begin again.
final class Session: Sendable {
  let objectID: String
  /// An access control list that lets only this user in.
  let own: LoopbackValue
  private let name: String
  private let place: TestServer
  private let token: Mutex<String>

  init(signingUp name: String, at place: TestServer) throws {
    self.name = name
    self.place = place
    let user = try place.signUp(name)
    (objectID, own) = (user.objectID, user.own)
    token = Mutex(user.token)
  }

  /// The server as this user's app knows it: without the master key.
  var server: ParseServer {
    ParseServer(
      url: place.url, applicationID: "app1",
      sessionToken: { [self] in Secret(token.withLock(\.self)) })
  }

  func end() throws { try place.endSession(token.withLock(\.self)) }

  func renew() throws {
    let new = try place.logIn(name)
    token.withLock { $0 = new }
  }
}
