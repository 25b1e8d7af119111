// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryTestSupport
import Foundation
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

  /// Slow, so that requests that run at once have all read before one changes anything.
  func read() throws -> Credentials {
    defer { usleep(5000) }
    return state.withLock(\.credentials)
  }

  func change<Result>(_ body: (inout Credentials) throws -> Result) throws -> Result {
    try state.withLock { state in
      var credentials = state.credentials
      let result = try body(&credentials)
      if let failure = state.failure { throw failure }
      state.credentials = credentials
      return result
    }
  }
}
