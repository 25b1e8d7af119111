// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryParse
import FerryTestSupport
import Foundation
import Testing

extension SyncTests {
  /// Accounts on both servers, and syncs in the session of the present user.
  @Test(arguments: TestServer.Kind.all)
  func `a device signs up, logs out and in, and syncs as the user`(
    on kind: TestServer.Kind
  ) async throws {
    let world = try LeagueWorld(kind, ServerVariant())
    let folder = try TemporaryDirectory()
    let accounts = ParseAccounts(
      server: world.server.known(asMaster: false),
      credentials: FileCredentialStore(at: folder.url.appending(path: "credentials.json")))
    let device = try world.device(as: accounts.server)
    let password = Secret("correct horse")

    #expect(try await accounts.user() == nil)
    let anna = try await accounts.signUp(
      username: "anna", password: password, email: "anna@example.com")
    #expect(anna.username == "anna")
    #expect(try await accounts.user() == anna)
    #expect(try await accounts.fetchUser() == anna)
    try await device.store.write { db in
      try db.insert("League", ["name": "anna's"], acl: [.user(anna.objectID): .readWrite])
    }
    _ = try await device.sync()

    try await accounts.logOut()
    #expect(try await accounts.user() == nil)
    await refuses(.loginNeeded) { _ = try await device.sync() }
    await refuses(.wrongPassword) {
      try await accounts.logIn(username: "anna", password: Secret("no"))
    }
    await refuses(.usernameTaken) {
      try await accounts.signUp(username: "Anna", password: password)
    }
    await refuses(.emailTaken) {
      try await accounts.signUp(
        username: "other", password: password, email: "ANNA@example.com")
    }
    await refuses(.invalidInput) {
      try await accounts.signUp(username: "other", password: password, email: "nowhere")
    }
    await refuses(.refused) { try await accounts.requestPasswordReset(email: "anna@example.com") }

    let again = try await accounts.logIn(username: "anna", password: password)
    #expect(again.objectID == anna.objectID)
    #expect(again.sessionToken != anna.sessionToken)
    _ = try await device.sync()
    #expect(try device.leagues() == ["anna's"])
  }

  @Test(arguments: TestServer.Kind.all)
  func `an anonymous user stays the same, and gets a name`(on kind: TestServer.Kind) async throws {
    let world = try LeagueWorld(kind, ServerVariant())
    let folder = try TemporaryDirectory()
    let accounts = ParseAccounts(
      server: world.server.known(asMaster: false),
      credentials: FileCredentialStore(at: folder.url.appending(path: "credentials.json")))
    let device = try world.device(as: accounts.server)

    let first = try await accounts.logInAnonymously()
    #expect(first.isAnonymous)
    try await accounts.logOut()
    let second = try await accounts.logInAnonymously()
    #expect(second.objectID == first.objectID)
    _ = try await device.sync()

    // A session that ended elsewhere is renewed by the run, because the device knows the anonymous id.
    try world.server.endSession(#require(second.sessionToken?.text))
    _ = try await device.sync()
    let renewed = try #require(try await accounts.user())
    #expect(renewed.objectID == first.objectID)
    #expect(renewed.sessionToken != second.sessionToken)

    let named = try await accounts.upgrade(username: "carl", password: Secret("p"))
    #expect(named.objectID == first.objectID)
    #expect(!named.isAnonymous)
    #expect(try await accounts.fetchUser().username == "carl")
    _ = try await device.sync()
    await refuses(.invalidInput) {
      try await accounts.upgrade(username: "dora", password: Secret("p"))
    }
    await refuses(AccountError.Code.otherUser) { try await accounts.logInAnonymously() }
    #expect(try await accounts.user() == named)

    let token = try #require(named.sessionToken)
    try await accounts.logOut()
    await refuses(.sessionEnded) { try await accounts.become(token) }
    #expect(try await accounts.logInAnonymously().objectID != first.objectID)
  }

  private func refuses(
    _ code: AccountError.Code, _ body: () async throws -> some Any,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    await throwsError(sourceLocation, body) { ($0 as? AccountError)?.code == code }
  }

  private func refuses(
    _ code: SyncError.Code, _ body: () async throws -> some Any,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    await throwsError(sourceLocation, body) { ($0 as? SyncError)?.code == code }
  }

  private func throwsError(
    _ sourceLocation: SourceLocation, _ body: () async throws -> some Any,
    _ isExpected: (any Error) -> Bool
  ) async {
    await #expect(sourceLocation: sourceLocation) {
      _ = try await body()
    } throws: {
      isExpected($0)
    }
  }
}
