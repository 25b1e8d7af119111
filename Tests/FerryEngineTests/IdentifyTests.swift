// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryHTTP
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

@Suite(.timeLimit(.minutes(5))) struct IdentifyTests {
  private let folder: TemporaryDirectory
  private let store: SQLiteStore
  private let network = TestNetwork()

  init() throws {
    folder = try TemporaryDirectory()
    store = try SQLiteStore(at: folder.url.appending(path: "s.sqlite"), schema: Sports.schema)
  }

  private func sync(
    _ address: URL, adopting: Set<StoreAdoption> = [],
    token: @escaping @Sendable () -> String? = { nil }
  ) async throws -> SyncReport {
    try await coordinator(address, token).startSync(adopting: adopting).report
  }

  private func coordinator(
    _ address: URL, _ token: @escaping @Sendable () -> String? = { nil }
  ) throws -> SyncCoordinator {
    let server = ParseServer(url: address, applicationID: "app1") { token().map { Secret($0) } }
    return SyncCoordinator(
      store: store, server: server, staging: folder.url.appending(path: "staging"),
      transport: network)
  }

  private func code(of run: () async throws -> SyncReport) async -> SyncError.Code? {
    do {
      _ = try await run()
      return nil
    } catch {
      return (error as? SyncError)?.code
    }
  }

  @Test(arguments: TestServer.Kind.all)
  func `a mistyped address binds no store`(on kind: TestServer.Kind) async throws {
    let server = try TestServer(kind)
    #expect(
      await code {
        try await sync(server.url.deletingLastPathComponent().appending(path: "parsex"))
      } == .wrongURL)
    _ = try await store.write { try $0.insert("Game", ["title": "a"]) }
    #expect(try await sync(server.url).outcome == .complete)
    #expect(try server.count(of: "Game") == 1)
  }

  @Test func `a server that answers everything with an empty object binds no store`() async throws {
    let server = try TestServer()
    network.setFault { _ in .answered(HTTPResponse(status: 200, body: Data("{}".utf8))) }
    #expect(await code { try await sync(server.url) } == .notParseServer)
    network.setFault(nil)
    let other = try TestServer()
    #expect(try await sync(other.url).outcome == .complete)
  }

  @Test(arguments: TestServer.Kind.all)
  func `the rows of one server are not sent to another server`(
    on kind: TestServer.Kind
  ) async throws {
    let first = try TestServer(kind)
    let second = try TestServer()
    _ = try await sync(first.url)
    _ = try await store.write { try $0.insert("Game", ["title": "a"]) }
    network.forget()
    #expect(await code { try await sync(second.url) } == .otherServer)
    #expect(network.requestCount == 0)
  }

  @Test(arguments: TestServer.Kind.all)
  func `the edits of one user are not sent under another user's name`(
    on kind: TestServer.Kind
  ) async throws {
    let server = try TestServer(kind)
    let ann = try server.signUp("ann")
    let bob = try server.signUp("bob")
    _ = try await sync(server.url) { ann.token }
    _ = try await store.write { try $0.insert("Game", ["title": "a"]) }
    #expect(await code { try await sync(server.url) { bob.token } } == .otherUser)
    #expect(await code { try await sync(server.url) } == .loginNeeded)
    try server.endSession(ann.token)
    #expect(await code { try await sync(server.url) { ann.token } } == .loginNeeded)
    #expect(try server.count(of: "Game") == 0)
    #expect(try await store.read { try $0.count(of: "Game") } == 1)
  }

  @Test(arguments: TestServer.Kind.all)
  func `anonymous data is adopted only by an explicit call`(on kind: TestServer.Kind) async throws {
    let server = try TestServer(kind)
    let ann = try server.signUp("ann")
    try server.create("League", ["name": "public"])
    _ = try await sync(server.url)
    try server.create(
      "League", ["name": "private", "ACL": .object([ann.objectID: ["read": true]])])
    _ = try await store.write { try $0.insert("Game", ["title": "a"]) }
    #expect(await code { try await sync(server.url) { ann.token } } == .otherUser)
    #expect(try server.count(of: "Game") == 0)
    // A plan adopts nothing.
    let plan = try await coordinator(server.url) { ann.token }.plan(adopting: [.anonymousData])
    #expect(Set(plan.actions.map(\.kind)) == [.insert, .post])
    #expect(await code { try await sync(server.url) { ann.token } } == .otherUser)
    let report = try await sync(server.url, adopting: [.anonymousData]) { ann.token }
    #expect(report.outcome == .complete && report.classes["Game"]?.created == 1)
    // Records that only the user may read arrive, although they are older than the last listing.
    #expect(try await store.read { try $0.count(of: "League") } == 2)
    // From now on the store belongs to the user.
    #expect(await code { try await sync(server.url) } == .loginNeeded)
    _ = try await sync(server.url) { ann.token }
  }

  @Test(arguments: TestServer.Kind.all)
  func `a listing made without a login proves no deletion for the user`(
    on kind: TestServer.Kind
  ) async throws {
    let server = try TestServer(kind)
    let ann = try server.signUp("ann")
    _ = try await coordinator(server.url).startSync(.through(.importing)).report
    let report = try await coordinator(server.url) { ann.token }
      .startSync(.only(.deleteMissing), adopting: [.anonymousData]).report
    #expect(report.notices.map(\.code) == [.listingIncomplete, .listingIncomplete])
  }

  @Test(arguments: TestServer.Kind.all)
  func `another user's data cannot be adopted`(on kind: TestServer.Kind) async throws {
    let server = try TestServer(kind)
    let ann = try server.signUp("ann")
    let bob = try server.signUp("bob")
    _ = try await sync(server.url) { ann.token }
    _ = try await store.write { try $0.insert("Game", ["title": "a"]) }
    let everything = Set(StoreAdoption.allCases)
    #expect(
      await code { try await sync(server.url, adopting: everything) { bob.token } } == .otherUser)
    #expect(await code { try await sync(server.url, adopting: everything) } == .loginNeeded)
    #expect(try server.count(of: "Game") == 0)
    _ = try await sync(server.url) { ann.token }
    #expect(try server.count(of: "Game") == 1)
  }

  @Test(arguments: TestServer.Kind.doubleOnly("A server that is copied"))
  func `the engine recognises a moved server by its records`(on _: TestServer.Kind) async throws {
    let original = try LoopbackServer()
    let first = try TestServer(double: original)
    _ = try await store.write { try $0.insert("Game", ["title": "a"]) }
    _ = try await sync(first.url)
    let game = try #require(try first.rows(of: "Game").keys.first)
    let second = try TestServer()
    _ = try await store.write { try $0.insert("Game", ["title": "b"]) }
    #expect(await code { try await sync(second.url, adopting: [.anonymousData]) } == .otherServer)
    // The second server has none of the records, so it is another server.
    #expect(await code { try await sync(second.url, adopting: [.movedServer]) } == .otherServer)
    #expect(try second.count(of: "Game") == 0)
    let third = try TestServer(double: LoopbackServer(backend: original.backend))
    let report = try await sync(third.url, adopting: [.movedServer])
    #expect(report.classes["Game"]?.created == 1)
    #expect(try third.count(of: "Game") == 2 && first.count(of: "Game") == 1)
    #expect(try third.row("Game", game) != nil)
    #expect(await code { try await sync(first.url) } == .otherServer)
  }
}
