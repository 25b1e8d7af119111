// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

/// An app uses the public interface alone: for syncs, and for all it wants to know beside them.
@Suite(.timeLimit(.minutes(1))) struct PublicUseTests {
  private let folder: TemporaryDirectory
  private let server: LoopbackServer
  private let parse: ParseServer
  private let schema = Schema {
    Entity("League") {
      Field("name", .text)
    }
    Entity("Game") {
      Field("title", .text)
      Field("league", .pointer(to: "League"))
    }
  }

  init() throws {
    var configuration = LoopbackConfiguration()
    configuration.applicationId = "demo"
    configuration.masterKey = "master"
    server = try LoopbackServer(configuration)
    folder = try TemporaryDirectory()
    parse = ParseServer(
      url: try #require(URL(string: server.url)), applicationID: "demo", key: .master("master"))
  }

  private func coordinator(_ store: any Store) -> SyncCoordinator {
    SyncCoordinator(
      store: store, server: parse, staging: folder.url.appending(path: "staging"))
  }

  private enum Kind: CaseIterable { case file, memory }

  private func store(_ kind: Kind) throws -> any Store {
    switch kind {
    case .file: try SQLiteStore(at: folder.url.appending(path: "games.sqlite"), schema: schema)
    case .memory: try InMemoryStore(schema: schema)
    }
  }

  @Test(arguments: Kind.allCases)
  private func `a store that wraps one of Ferry's stores syncs, plans and is inspected`(
    kind: Kind
  ) async throws {
    let store = LoggingStore(try store(kind))
    let league = try await store.write { try $0.insert("League", ["name": "North"]) }
    let game = try await store.write {
      try $0.insert("Game", ["title": "Final", "league": .pointer(league)])
    }
    #expect(store.writes == 2)
    let coordinator = coordinator(store)
    #expect(try await coordinator.plan().actions.map(\.kind) == [.post, .post])
    #expect(try await store.inspect { try $0.pendingChanges() }.count == 2)
    #expect(try coordinator.syncStatus(of: game) == .unsent(.insert))
    let report = try await coordinator.startSync().report
    #expect(report.outcome == .complete)
    #expect(server.backend.objects(of: "Game").count == 1)
    #expect(try await store.inspect { try $0.pendingChanges() }.isEmpty)
    #expect(try coordinator.syncStatus(of: game) == .synced)
    #expect(store.writes == 2)
  }

  @Test func `a plan that is started has events, and its actions at the end`() async throws {
    let store = try store(.memory)
    try await store.write { _ = try $0.insert("League", ["name": "North"]) }
    let run = coordinator(store).startPlan()
    var stages: [StageName] = []
    for await event in run.events {
      if case .stageStarted(let stage) = event { stages.append(stage) }
    }
    #expect(try await run.report.outcome == .complete)
    #expect(stages == StageName.allCases)
    #expect(run.plan.actions.map(\.kind) == [.post])
    #expect(server.backend.objects(of: "League").isEmpty)
  }

  @Test func `a create that needs a login asks for no further sync at once`() async throws {
    let everyone: LoopbackValue = ["*": true]
    try server.withBackend { backend throws(LoopbackError) in
      _ = try backend.create("League", ["name": "there"])
      try backend.setPermissions(
        of: "League",
        [
          "find": everyone, "get": everyone, "count": everyone, "addField": everyone,
          "create": ["requiresAuthentication": true],
        ])
    }
    let store = try store(.memory)
    try await store.write { _ = try $0.insert("League", ["name": "here"]) }
    let coordinator = SyncCoordinator(
      store: store, server: ParseServer(url: parse.url, applicationID: "demo"),
      staging: folder.url.appending(path: "staging"))
    let report = try await coordinator.startSync().report
    #expect(report.outcome == .partial)
    #expect(report.notices.contains { $0.code == .loginNeeded && $0.className == "League" })
    #expect(report.remaining["League"]?.waiting == 1)
    let next = try #require(report.nextSync)
    let later = Timestamp(Date().addingTimeInterval(30))
    #expect(next > later)
    #expect(try #require(try await store.inspect { try $0.nextSync() }) > later)
    let change = try await #require(store.inspect { try $0.pendingChanges() }.first)
    #expect(change.state == .blocked)
    #expect(change.reason?.contains("needs a user who is logged in") == true, "\(change)")

    // A plan takes for granted what the server said.
    let run = coordinator.startPlan()
    _ = try await run.report
    let plan = run.plan
    #expect(plan.actions.isEmpty)
    #expect(plan.report.notices.contains { $0.code == .loginNeeded && $0.className == "League" })
    #expect(plan.report.remaining["League"]?.waiting == 1)

    // Every sync asks, so it finds out that the server has changed its mind.
    try server.withBackend { backend throws(LoopbackError) in
      try backend.setPermissions(
        of: "League",
        [
          "find": everyone, "get": everyone, "count": everyone, "addField": everyone,
          "create": everyone,
        ])
    }
    #expect(try await coordinator.startSync().report.outcome == .complete)
    #expect(server.backend.objects(of: "League").count == 2)
    try await store.write { _ = try $0.insert("League", ["name": "another"]) }
    #expect(try await store.inspect { try $0.pendingChanges() }.map(\.state) == [.ready])
  }

  @Test func `a transport of the app's own carries a sync`() async throws {
    let transport = RelayTransport()
    let store = try store(.memory)
    try await store.write { _ = try $0.insert("League", ["name": "North"]) }
    let coordinator = SyncCoordinator(
      store: store, server: parse, staging: folder.url.appending(path: "staging"),
      transport: transport)
    #expect(try await coordinator.startSync().report.outcome == .complete)
    #expect(server.backend.objects(of: "League").count == 1)
    #expect(transport.headerNames.contains("X-Parse-Application-Id"))
    let cancelled = CancellationSignal()
    cancelled.cancel()
    #expect(throws: HTTPError.self) {
      try transport.send(HTTPRequest(.get, parse.url), cancellation: cancelled)
    }
  }

  @Test(arguments: Kind.allCases)
  private func `an inspection shows what is unsent, why, and how far a class is synced`(
    kind: Kind
  ) async throws {
    let store = try store(kind)
    let game = try await store.write { try $0.insert("Game", ["title": "Final"]) }
    let waiting = try await store.inspect { try $0.pendingChanges(of: "Game") }
    let change = try #require(waiting.first)
    #expect(waiting.count == 1)
    #expect((change.kind, change.state) == (.create, .ready))
    #expect((change.fields, change.objectID, change.reason) == (["title"], nil, nil))
    #expect(change.localID == game.localID)
    #expect(try await store.inspect { try $0.pendingChanges(of: "League") }.isEmpty)
    #expect(try await store.inspect { try $0.syncState(of: "Game") }.isInitialSyncDone == false)

    _ = try await coordinator(store).startSync().report
    _ = try await coordinator(store).startSync().report
    try await store.write { try $0.update(game, ["title": "Semi-final"]) }
    try await store.inspect { view in
      let state = try view.syncState(of: "Game")
      #expect(state.isInitialSyncDone)
      #expect(state.listedThrough != nil)
      #expect(try view.heldRemovals(of: "Game").isEmpty)
      var changes: [PendingChange] = []
      try view.forEachPendingChange { changes.append($0) }
      #expect(changes.map(\.kind) == [.update])
      #expect(changes.first?.objectID?.isEmpty == false)
      #expect(try view.rows.count(of: "Game") == 1)
    }
  }

  private struct Full: Error, Equatable {}

  @Test(arguments: Kind.allCases)
  private func `an error of the app undoes a write and reaches the app as it is`(
    kind: Kind
  ) throws {
    let store = try store(kind)
    #expect(throws: Full()) {
      try store.write { transaction in
        try transaction.insert("Game", ["title": "Final"])
        throw Full()
      }
    }
    #expect(try store.read { try $0.count(of: "Game") } == 0)
    #expect(throws: Full()) { try store.read { _ in throw Full() } }
    try store.write { _ = try $0.insert("Game", ["title": "Final"]) }
    #expect(throws: Full()) { try store.inspect { _ in throw Full() } }
    #expect(throws: Full()) {
      try store.inspect { view in try view.forEachPendingChange { _ in throw Full() } }
    }
  }

  @Test(arguments: Kind.allCases)
  private func `a closure that throws a StoreError alone makes the call throw no other`(
    kind: Kind
  ) throws {
    let store = try store(kind)
    let gone = LocalID(rawValue: 7)
    var codes: [StoreError.Code] = []
    do throws(StoreError) {
      try store.write { transaction throws(StoreError) in
        _ = try transaction.insert("Game", ["title": "Final"])
        try transaction.delete("Game", gone)
      }
    } catch {
      codes.append(error.code)
    }
    do throws(StoreError) {
      _ = try store.read { reader throws(StoreError) in try reader.count(of: "Team") }
    } catch {
      codes.append(error.code)
    }
    #expect(codes == [.noSuchRecord, .unknownClass])
    #expect(try store.inspect { try $0.pendingChanges() }.isEmpty)
  }

  @Test func `an app has its schema from the ferry.json of the tool`() throws {
    let written = SyncConfiguration(
      server: parse.url, applicationID: "demo", keyFiles: [.restKey: "rest.key"], schema: schema)
    let read = try SyncConfiguration(json: Data(written.json.utf8))
    #expect(read.json == written.json)
    #expect(read.schema.entities.map(\.name) == ["League", "Game"])
    #expect(read.keyFiles == [.restKey: "rest.key"])
    let error = #expect(throws: SyncConfigurationError.self) {
      try SyncConfiguration(json: Data("{\n  \"servr\": \"x\"\n}".utf8))
    }
    #expect(error?.line == 2)
    #expect(error?.unknownKey == "servr")
    #expect(error?.description == "Line 2, column 12: \"servr\" is not a known key.")
  }

  @Test func `an examination says what the server allows before a sync`() async throws {
    try await Task.detached { [parse] in
      var examination = ServerExamination(of: parse)
      if case .notAsked = examination.isReady {} else { Issue.record("asked already") }
      try examination.ask(
        [.health, .version, .user, .rows(of: "Game"), .count(of: "no such/name"), .module],
        over: CurlTransport())
      #expect(try examination.isReady.get() == true)
      #expect(examination.isParseServer)
      #expect(try examination.rows(of: "Game").get()?.isEmpty == true)
      #expect(try examination.version.get() != nil)
      if try examination.module.get() != .some(nil) { Issue.record("a server without Cloud Code") }
      guard case .refused(let refusal) = examination.user else {
        Issue.record("a user without a session")
        return
      }
      #expect([.loginNeeded, .notFoundOrForbidden].contains(refusal.meaning))
      guard case .failed(let error) = examination.count(of: "no such/name") else {
        Issue.record("a class of an impossible name")
        return
      }
      #expect((error.code, error.outcome) == (.invalidURL, .notSent))
      try examination.probe(removingClass: true, over: CurlTransport())
      if case .failed = examination.customID { Issue.record("no answer to the probe") }
      let cancelled = CancellationSignal()
      cancelled.cancel()
      #expect(throws: HTTPError.self) {
        try examination.ask([.health], over: CurlTransport(), cancellation: cancelled)
      }
    }.value
    #expect(server.backend.objects(of: ServerExamination.probeClass).isEmpty)
  }

  @Test func `the staging folder shows downloads that wait for their import`() async throws {
    let staging = folder.url.appending(path: "staging")
    #expect(try StagedDownload.all(in: staging).isEmpty)
    #expect(!FileManager.default.fileExists(atPath: staging.path(percentEncoded: false)))
    let store = try store(.file)
    try await store.write { _ = try $0.insert("League", ["name": "North"]) }
    _ = try await coordinator(store).startSync().report
    let other = try SQLiteStore(at: folder.url.appending(path: "other.sqlite"), schema: schema)
    _ = try await coordinator(other).startSync(.only(.download)).report
    let downloads = try StagedDownload.all(in: staging)
    let league = try #require(downloads.first { $0.className == "League" })
    #expect(league.isComplete)
    #expect(league.pages.map(\.records) == [1])
    let size =
      try FileManager.default.attributesOfItem(
        atPath: try #require(league.pages.first).file.path(percentEncoded: false))[.size] as? Int
    #expect(size == league.pages.first?.bytes)
  }

  @Test func `an option outside its range counts as the nearest one within`() {
    var options = SyncOptions()
    (options.pageSize, options.batchSize, options.batchesInFlight) = (0, 0, 0)
    (options.attemptLimit, options.plannedActionLimit) = (-3, -1)
    (options.uncountedLimit, options.timeout) = (0, .zero)
    #expect((options.pageSize, options.batchSize, options.batchesInFlight) == (1, 1, 1))
    #expect((options.attemptLimit, options.plannedActionLimit) == (1, 0))
    #expect((options.uncountedLimit, options.timeout) == (1, .seconds(1)))
    (options.pageSize, options.batchSize) = (1_000_000, 51)
    #expect((options.pageSize, options.batchSize) == (10_000, 50))
  }

  @Test func `values and versions have a text`() {
    #expect(
      Value.date(Timestamp(milliseconds: 0)).json
        == #"{"__type":"Date","iso":"1970-01-01T00:00:00.000Z"}"#)
    #expect(Value.object(["b": 1, "a": ["x", nil]]).json == #"{"a":["x",null],"b":1}"#)
    #expect(CurlTransport.libraryVersion.hasPrefix("libcurl/"))
    #expect(SQLiteStore.libraryVersion.hasPrefix("3."))
  }
}
