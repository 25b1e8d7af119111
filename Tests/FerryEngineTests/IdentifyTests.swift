// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

@Suite(.timeLimit(.minutes(5))) struct IdentifyTests {
  private let folder: TemporaryDirectory
  private let store: SQLiteStore

  init() throws {
    folder = try TemporaryDirectory()
    store = try SQLiteStore(at: folder.url.appending(path: "s.sqlite"), schema: Sports.schema)
  }

  private func sync(
    _ address: String, token: @escaping @Sendable () -> String? = { nil }
  ) async throws -> SyncReport {
    let url = try #require(URL(string: address))
    let server = ParseServer(url: url, applicationID: "app1") { token().map { Secret($0) } }
    let coordinator = SyncCoordinator(
      store: store, server: server, staging: folder.url.appending(path: "staging"),
      transport: CurlTransport())
    return try await coordinator.startSync().report
  }

  private func code(of run: () async throws -> SyncReport) async -> SyncError.Code? {
    do {
      _ = try await run()
      return nil
    } catch {
      return (error as? SyncError)?.code
    }
  }

  @Test func aMistypedAddressBindsNothing() async throws {
    let server = try LoopbackServer()
    #expect(await code { try await sync(server.url + "x") } == .wrongURL)
    _ = try store.write { try $0.insert("Game", ["title": "a"]) }
    #expect(try await sync(server.url).outcome == .complete)
    #expect(server.backend.count(of: "Game") == 1)
  }

  @Test func aStoreIsNotSentToAnotherServer() async throws {
    let first = try LoopbackServer()
    let second = try LoopbackServer()
    _ = try await sync(first.url)
    _ = try store.write { try $0.insert("Game", ["title": "a"]) }
    #expect(await code { try await sync(second.url) } == .otherServer)
    #expect(second.requestCount == 0)
  }

  @Test func aStoreIsNotSentInAnotherUsersName() async throws {
    let server = try LoopbackServer()
    let ann = try signUp("ann", server)
    let bob = try signUp("bob", server)
    _ = try await sync(server.url) { ann }
    _ = try store.write { try $0.insert("Game", ["title": "a"]) }
    #expect(await code { try await sync(server.url) { bob } } == .otherUser)
    #expect(await code { try await sync(server.url) } == .loginNeeded)
    server.withBackend { $0.revokeAllSessions() }
    #expect(await code { try await sync(server.url) { ann } } == .loginNeeded)
    #expect(server.backend.count(of: "Game") == 0)
    #expect(try store.read { try $0.count(of: "Game") } == 1)
  }

  private func signUp(_ name: String, _ server: LoopbackServer) throws -> String {
    let answer = server.withBackend { backend in
      backend.answer(
        LoopbackRequest(
          "POST", "/parse/users", headers: ["X-Parse-Application-Id": "app1"],
          json: ["username": .string(name), "password": "p"]))
    }
    return try #require(answer.json?["sessionToken"]?.string)
  }
}
