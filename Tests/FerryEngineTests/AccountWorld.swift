// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryTestSupport
import Synchronization
import Testing

/// A server, and a device whose user logs in.
final class AccountWorld: Sendable {
  let world: SyncWorld
  let credentials = MemoryCredentials()
  let accounts: ParseAccounts

  init(_ server: TestServer? = nil) throws {
    world = try SyncWorld(server ?? TestServer(.double))
    accounts = ParseAccounts(
      server: world.server.known(asMaster: false), credentials: credentials,
      transport: world.network)
  }

  var server: TestServer { world.server }
  var network: TestNetwork { world.network }

  /// The error of an account request; nil where it succeeded.
  func refusal(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> some Any
  ) async -> AccountError? {
    do {
      _ = try await body()
      return nil
    } catch let error as AccountError {
      return error
    } catch {
      Issue.record(error, sourceLocation: sourceLocation)
      return nil
    }
  }
}

/// Credentials that live as long as the test.
final class MemoryCredentials: CredentialStore {
  private struct State {
    var credentials = Credentials()
    var failure: CredentialFileError?
  }

  private let state = Mutex(State())

  /// The error of the next writes; nil for none.
  var failure: CredentialFileError? {
    get { state.withLock(\.failure) }
    set { state.withLock { $0.failure = newValue } }
  }

  func read() throws -> Credentials { state.withLock(\.credentials) }

  func write(_ credentials: Credentials) throws {
    try state.withLock { state in
      if let failure = state.failure { throw failure }
      state.credentials = credentials
    }
  }
}
