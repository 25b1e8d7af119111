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
  /// The same, with the members of a user; never the token.
  func with(_ user: ParseUser) -> JSONMessage {
    with("object_id", .string(user.objectID)).with("username", user.username.map { .string($0) })
      .with("email", user.email.map { .string($0) }).with(
        "is_anonymous", .boolean(user.isAnonymous))
  }
}
