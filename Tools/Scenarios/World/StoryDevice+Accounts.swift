// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryHTTP
import FerryParse
import Foundation
import Synchronization

// Log-ins through the engine's accounts, which two parts of an app may begin at once.
extension StoryDevice {
  /// Logs two users in at once: one must win, and the other must leave no session.
  func logInAtOnce(_ users: [String]) throws {
    let credentials = FileCredentialStore(at: folder.url.appending(path: "credentials.json"))
    try credentials.change { $0 = Credentials() }
    // Nobody logs in with a name that the server does not know.
    for user in users { _ = try world.client.logIn(user) }
    let accounts = ParseAccounts(
      server: ParseServer(url: world.server.url, applicationID: "app1"), credentials: credentials,
      transport: QueueingTransport(to: world.server.transport))
    let before = try world.server.rows(of: "_Session").count
    let results = blocking {
      await withTaskGroup(of: Result<ParseUser, AccountError>.self) { group in
        for user in users {
          group.addTask {
            do throws(AccountError) {
              let password = Secret(StoryClient.password(of: user))
              return .success(try await accounts.logIn(username: user, password: password))
            } catch { return .failure(error) }
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
    }
    let winners = try results.get().compactMap { try? $0.get() }
    guard winners.count == 1, let token = try credentials.read().user?.sessionToken else {
      throw StoryFault("\(winners.count) of them logged in")
    }
    for case .failure(let error) in try results.get() where error.code != .otherUser {
      throw StoryFault("the other log-in ended otherwise: \(error)")
    }
    let left = try world.server.rows(of: "_Session").count
    guard left == before + 1 else { throw StoryFault("\(left - before) sessions are left") }
    session.set(.token(token))
  }
}

/// Sends the requests of several threads one after another, over one connection.
private final class QueueingTransport: SequentialTransport {
  private let transport: Mutex<any HTTPTransport>

  init(to transport: any HTTPTransport) { self.transport = Mutex(transport) }

  func exchange(
    _ request: HTTPRequest, _ cancellation: CancellationSignal
  ) -> Result<HTTPResponse, HTTPError> {
    transport.withLock { transport in
      Result { () throws(HTTPError) in
        try transport.send(request, cancellation: cancellation)
      }
    }
  }
}
