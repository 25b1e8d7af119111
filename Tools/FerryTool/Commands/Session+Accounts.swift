// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

extension Session {
  /// The accounts of the folder's server, and the credentials of the folder.
  func accounts(_ configuration: SyncConfiguration) throws(Failure) -> ParseAccounts {
    guard configuration.keyFiles[.sessionToken] == nil else {
      throw Failure(
        .configuration, "session-token-file",
        "ferry.json names the file of a session token with \"sessionTokenFile\", and that file counts. Nothing was "
          + "done. Remove the key from ferry.json to use login, logout and whoami.")
    }
    let server = try configuration.serverWithoutSession(
      in: workspace, warn: { console.warning($0) })
    return ParseAccounts(
      server: server, credentials: workspace.credentials, transport: transport,
      timeout: try SyncOptions(flags: command).timeout)
  }

  /// The server for runs, in the session of the folder's user, which is renewed for an anonymous one.
  func server(
    _ configuration: SyncConfiguration, adopting: Set<StoreAdoption>
  ) throws(Failure) -> ParseServer {
    guard configuration.keyFiles[.sessionToken] == nil else {
      return try configuration.connection(in: workspace, warn: { console.warning($0) }).server
    }
    let accounts = try accounts(configuration)
    // Read now, because a run cannot say what is wrong with the file.
    let credentials = try workspace.readCredentials(
      of: adopting.contains(.movedServer) ? nil : accounts.server)
    guard adopting.contains(.movedServer) else { return accounts.server }
    return accounts.server.inSession(of: credentials.user?.sessionToken)
  }

  /// Lets the credentials follow a server of which a sync has proved that it only moved.
  func followMovedServer(_ configuration: SyncConfiguration) async throws(Failure) {
    guard configuration.keyFiles[.sessionToken] == nil else { return }
    let accounts = try accounts(configuration)
    try await asking { () async throws(AccountError) in try await accounts.followMovedServer() }
  }

  /// Asks a server about an account; Ctrl-C ends the request.
  func asking<Answer: Sendable>(
    _ body: @escaping @Sendable () async throws(AccountError) -> Answer
  ) async throws(Failure) -> Answer {
    interruption.watch()
    let request = Task { () async -> Result<Answer, AccountError> in
      do throws(AccountError) {
        return .success(try await body())
      } catch {
        return .failure(error)
      }
    }
    interruption.onInterruption { request.cancel() }
    do {
      return try await request.value.get()
    } catch {
      throw Failure(error)
    }
  }
}

extension ParseUser {
  /// The user, as the commands name one.
  var words: String {
    isAnonymous ? "An anonymous user (\(objectID))" : "\(username ?? "A user") (\(objectID))"
  }
}

extension JSONMessage {
  /// The same, with the members of a user, if there is one; never the token.
  func with(_ user: ParseUser?) -> JSONMessage {
    guard let user else { return self }
    return with("object_id", .string(user.objectID)).with(
      "username", user.username.map { .string($0) }
    )
    .with("email", user.email.map { .string($0) }).with(
      "is_anonymous", .boolean(user.isAnonymous))
  }
}
