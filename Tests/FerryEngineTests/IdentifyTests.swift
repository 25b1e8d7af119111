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
    _ address: String, adopting: Set<StoreAdoption> = [],
    token: @escaping @Sendable () -> String? = { nil }
  ) async throws -> SyncReport {
    try await coordinator(address, token).startSync(adopting: adopting).report
  }

  private func coordinator(
    _ address: String, _ token: @escaping @Sendable () -> String? = { nil }
  ) throws -> SyncCoordinator {
    let url = try #require(URL(string: address))
    let server = ParseServer(url: url, applicationID: "app1") { token().map { Secret($0) } }
    return SyncCoordinator(
      store: store, server: server, staging: folder.url.appending(path: "staging"),
      transport: CurlTransport())
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
    _ = try await sync(server.url) { ann.token }
    _ = try store.write { try $0.insert("Game", ["title": "a"]) }
    #expect(await code { try await sync(server.url) { bob.token } } == .otherUser)
    #expect(await code { try await sync(server.url) } == .loginNeeded)
    server.withBackend { $0.revokeAllSessions() }
    #expect(await code { try await sync(server.url) { ann.token } } == .loginNeeded)
    #expect(server.backend.count(of: "Game") == 0)
    #expect(try store.read { try $0.count(of: "Game") } == 1)
  }

  @Test func anonymousDataIsAdoptedByAnExplicitCallOnly() async throws {
    let server = try LoopbackServer()
    let ann = try signUp("ann", server)
    _ = try server.withBackend { backend throws(LoopbackError) in
      try backend.create("League", ["name": "public"])
    }
    _ = try await sync(server.url)
    _ = try server.withBackend { backend throws(LoopbackError) in
      try backend.create("League", ["name": "private", "ACL": .object([ann.id: ["read": true]])])
    }
    _ = try store.write { try $0.insert("Game", ["title": "a"]) }
    #expect(await code { try await sync(server.url) { ann.token } } == .otherUser)
    #expect(server.backend.count(of: "Game") == 0)
    // A plan adopts nothing.
    let plan = try await coordinator(server.url) { ann.token }.plan(adopting: [.anonymousData])
    #expect(Set(plan.actions.map(\.kind)) == [.insert, .post])
    #expect(await code { try await sync(server.url) { ann.token } } == .otherUser)
    let report = try await sync(server.url, adopting: [.anonymousData]) { ann.token }
    #expect(report.outcome == .complete && report.classes["Game"]?.created == 1)
    // What only the user may read has come, though it is older than the last listing's end.
    #expect(try store.read { try $0.count(of: "League") } == 2)
    // From now on it is the user's.
    #expect(await code { try await sync(server.url) } == .loginNeeded)
    _ = try await sync(server.url) { ann.token }
  }

  @Test func whatWasSeenWithoutALoginProvesNothingForTheUser() async throws {
    let server = try LoopbackServer()
    let ann = try signUp("ann", server)
    _ = try await coordinator(server.url).startSync(.through(.importing)).report
    let report = try await coordinator(server.url) { ann.token }
      .startSync(.only(.deleteMissing), adopting: [.anonymousData]).report
    #expect(report.notices.map(\.code) == [.listingIncomplete, .listingIncomplete])
  }

  @Test func anotherUsersDataCannotBeAdopted() async throws {
    let server = try LoopbackServer()
    let ann = try signUp("ann", server)
    let bob = try signUp("bob", server)
    _ = try await sync(server.url) { ann.token }
    _ = try store.write { try $0.insert("Game", ["title": "a"]) }
    let everything = Set(StoreAdoption.allCases)
    #expect(
      await code { try await sync(server.url, adopting: everything) { bob.token } } == .otherUser)
    #expect(await code { try await sync(server.url, adopting: everything) } == .loginNeeded)
    #expect(server.backend.count(of: "Game") == 0)
    _ = try await sync(server.url) { ann.token }
    #expect(server.backend.count(of: "Game") == 1)
  }

  @Test func aMovedServerIsKnownByItsRecords() async throws {
    let first = try LoopbackServer()
    _ = try store.write { try $0.insert("Game", ["title": "a"]) }
    _ = try await sync(first.url)
    let game = try #require(first.backend.objects(of: "Game").first)
    let second = try LoopbackServer()
    _ = try store.write { try $0.insert("Game", ["title": "b"]) }
    #expect(await code { try await sync(second.url, adopting: [.anonymousData]) } == .otherServer)
    // It has none of the records: it is another server.
    #expect(await code { try await sync(second.url, adopting: [.movedServer]) } == .otherServer)
    #expect(second.backend.count(of: "Game") == 0)
    let third = try LoopbackServer(backend: first.backend)
    let report = try await sync(third.url, adopting: [.movedServer])
    #expect(report.classes["Game"]?.created == 1)
    #expect(third.backend.count(of: "Game") == 2 && first.backend.count(of: "Game") == 1)
    #expect(third.backend.objects(of: "Game").contains { $0["objectId"] == game["objectId"] })
    #expect(await code { try await sync(first.url) } == .otherServer)
  }

  private func signUp(_ name: String, _ server: LoopbackServer) throws -> (
    token: String, id: String
  ) {
    let answer = server.withBackend { backend in
      backend.answer(
        LoopbackRequest(
          "POST", "/parse/users", headers: ["X-Parse-Application-Id": "app1"],
          json: ["username": .string(name), "password": "p"]))
    }
    let token = try #require(answer.json?["sessionToken"]?.string)
    return (token, try #require(answer.json?["objectId"]?.string))
  }
}
