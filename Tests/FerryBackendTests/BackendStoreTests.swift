// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryBackend
import FerryStore
import FerryTestSupport
import Foundation
import LoopbackParse
import Synchronization
import Testing

/// When a store asks the server, what it keeps, and what it lets go.
@Suite(.timeLimit(.minutes(5))) struct BackendStoreTests {
  private static let schema = Schema(
    Sports.schema.entities.map { $0.name == "Game" ? $0.onDemand() : $0 })

  private let world: SyncWorld
  private let device: Device
  private let folder: TemporaryDirectory
  private let clock = Clock()

  /// A clock that a test moves.
  private final class Clock: Sendable {
    private let time = Mutex(Date(timeIntervalSince1970: 1_800_000_000))
    var now: Date { time.withLock { $0 } }
    func move(by seconds: TimeInterval) { time.withLock { $0 += seconds } }
  }

  /// The session of a user, as the app has it.
  private final class Session: Sendable {
    private let token: Mutex<String>
    init(_ token: String) { self.token = Mutex(token) }
    var present: String {
      get { token.withLock { $0 } }
      set { token.withLock { $0 = newValue } }
    }
  }

  init() throws {
    world = try SyncWorld()
    device = try world.device(schema: Self.schema)
    folder = try TemporaryDirectory()
  }

  private func backend(size: Int = 1000, on device: Device? = nil) -> BackendStore {
    let device = device ?? self.device
    return BackendStore(
      store: device.store, coordinator: device.coordinator,
      notes: folder.url.appending(path: "results.json"), size: size, timeout: .seconds(1),
      now: { [clock] in clock.now })
  }

  private func score(_ score: Int64) -> Query {
    Query("Game", where: .field("score", .equal, .integer(score)))
  }

  /// The requests since the last call, without the proofs of the master key.
  private func questions() -> Int {
    defer { world.network.forget() }
    return world.network.exchanges.count { $0.path.hasPrefix("/classes") }
  }

  @discardableResult
  private func create(_ scores: [Int]) throws -> [String] {
    try world.server.create("Game", scores.map { ["score": .number(Double($0))] })
  }

  private func localIDs() async throws -> Set<String> {
    Set(try await device.store.read { try $0.records(of: "Game").map(\.objectID) })
  }

  // MARK: When the server is asked

  @Test func `an answer is asked for when it is empty, old, or wanted afresh`() async throws {
    try create([1, 1])
    try await device.sync()
    let backend = backend()
    let query = score(1)
    _ = questions()
    var answer = try await backend.count(query, freshness: .within(.seconds(60)))
    #expect(answer.value == 2 && answer.origin == .server && answer.askedAt == clock.now)
    #expect(questions() == 1, "one page that has all")
    clock.move(by: 60)
    answer = try await backend.count(query, freshness: .within(.seconds(60)))
    #expect(answer.value == 2 && answer.origin == .store && answer.askedAt != nil)
    #expect(questions() == 0)
    try create([1])
    #expect(try await backend.count(query, freshness: .local).value == 2)
    #expect(questions() == 0)
    clock.move(by: 1)
    answer = try await backend.count(query, freshness: .within(.seconds(60)))
    #expect(answer.value == 3 && answer.origin == .server && questions() == 1)
    #expect(try await backend.count(query, freshness: .always).origin == .server)
    #expect(questions() == 1)
    // An empty answer is asked for each time.
    for _ in 0..<2 {
      let empty = try await backend.records(score(9), freshness: .within(.seconds(60)))
      #expect(empty.value.isEmpty && empty.origin == .server && empty.isComplete)
    }
    #expect(questions() == 2)
    // A clock that goes back makes nothing fresh.
    clock.move(by: -3600)
    #expect(try await backend.count(query).origin == .server)
  }

  @Test func `other classes are answered by the store alone`() async throws {
    try world.server.create("League", ["name": "North"])
    try await device.sync()
    _ = questions()
    let backend = backend()
    let leagues = try await backend.records(Query("League"), freshness: .always)
    #expect(leagues.value.count == 1 && leagues.origin == .store && leagues.isComplete)
    #expect(questions() == 0)
    #expect(try await backend.read { try $0.count(of: "League") } == 1)
  }

  @Test func `rows behind pointers come along`() async throws {
    let first = try create([1])[0]
    try world.server.create(
      "Game", [["title": "later", "previous": .pointer("Game", first)], ["title": "other"]])
    let backend = backend()
    let query = Query("Game", where: .field("previous.score", .equal, 1))
    #expect(try await backend.records(query).value.map { $0["title"] } == ["later"])
    try world.server.update("Game", first, ["score": 2])
    #expect(try await backend.records(query, freshness: .always).value.isEmpty)
    #expect(
      try await backend.values(
        of: ["previous.score"], in: Query("Game", where: .field("title", .equal, "later"))
      ).value == [["previous.score": 2]])
  }

  @Test func `a row that left the query, or the server, leaves the answer`() async throws {
    let ids = try create([1, 1, 1])
    let backend = backend()
    #expect(try await backend.count(score(1)).value == 3)
    try world.server.update("Game", ids[0], ["score": 2])
    try world.server.delete("Game", [ids[1]])
    try world.server.update("Game", ids[2], ["ACL": [:]])
    #expect(try await backend.count(score(1), freshness: .always).value == 1)
    #expect(try await localIDs() == [ids[0], ids[2]], "the master key still sees the third")
    #expect(try device.pending().isEmpty)
  }

  @Test func `a result has the name that the app gives, and a new query replaces it`() async throws
  {
    try create([1, 2])
    let backend = backend()
    #expect(try await backend.count(score(1), named: "list").origin == .server)
    #expect(try await backend.count(score(1), named: "list").origin == .store)
    #expect(try await backend.count(score(2), named: "list").origin == .server)
    #expect(try await backend.count(score(1), named: "list").origin == .server)
  }

  @Test func `a query with too many records says that its answer is not complete`() async throws {
    var options = SyncOptions()
    options.pageSize = 2
    try create(Array(repeating: 1, count: 7))
    let device = try world.device("b", schema: Self.schema, options: options)
    let backend = BackendStore(store: device.store, coordinator: device.coordinator, limit: 3)
    for _ in 0..<2 {
      let answer = try await backend.count(score(1))
      #expect(answer.value == 4 && !answer.isComplete && answer.origin == .server)
    }
  }

  // MARK: Sharing and cancelling

  @Test func `equal queries at the same time share one question`() async throws {
    try create([1, 1])
    try await device.sync()
    let backend = backend()
    _ = questions()
    world.network.setFault { $0.path.hasPrefix("/classes") ? .delayed(.milliseconds(300)) : nil }
    try await withThrowingTaskGroup(of: Int.self) { [self] group in
      for number in 0..<8 {
        group.addTask {
          number % 2 == 0
            ? try await backend.count(score(1), freshness: .always).value
            : try await backend.records(score(1), freshness: .always).value.count
        }
      }
      for try await count in group { #expect(count == 2) }
    }
    #expect(questions() == 1)
  }

  @Test func `a caller that is cancelled leaves at once, and the others get their answer`()
    async throws
  {
    try create([1])
    let backend = backend()
    world.network.setFault { $0.path.hasPrefix("/classes") ? .delayed(.milliseconds(800)) : nil }
    let (first, second) = (
      Task { [self] in try await backend.count(score(1), freshness: .always).value },
      Task { [self] in try await backend.count(score(1), freshness: .always).value }
    )
    try await Task.sleep(for: .milliseconds(200))
    let start = ContinuousClock.now
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    #expect(ContinuousClock.now - start < .milliseconds(400))
    #expect(try await second.value == 1)
    // Alone, its question ends with it.
    let alone = Task { [self] in try await backend.count(score(2), freshness: .always).value }
    try await Task.sleep(for: .milliseconds(200))
    alone.cancel()
    await #expect(throws: CancellationError.self) { try await alone.value }
    world.network.setFault(nil)
    #expect(try await backend.count(score(1), freshness: .always).value == 1)
  }

  // MARK: Without a server

  @Test func `without a server, the store answers and says so`() async throws {
    try create([1, 1])
    let backend = backend()
    _ = try await backend.count(score(1))
    world.network.setFault { _ in .requestLost }
    _ = questions()
    let start = ContinuousClock.now
    let answer = try await backend.count(score(1), freshness: .always)
    #expect(answer.value == 2 && answer.origin == .store && answer.askedAt == clock.now)
    #expect(answer.failure?.code == .tryAgain)
    // The server was asked a moment ago, so it is left alone unless an answer must be fresh.
    world.network.forget()
    let empty = try await backend.count(score(5))
    #expect(empty.value == 0 && empty.failure?.code == .tryAgain && !empty.isComplete)
    #expect(world.network.requestCount == 0)
    #expect(ContinuousClock.now - start < .seconds(5))
    clock.move(by: 11)
    _ = try await backend.count(score(5))
    #expect(world.network.requestCount == 1)
    // An edit counts at once, and is sent later.
    try await device.store.write { _ = try $0.insert("Game", ["score": 1]) }
    #expect(try await backend.count(score(1), freshness: .always).value == 3)
    world.network.setFault(nil)
    try await device.sync()
    #expect(try world.server.count(of: "Game") == 3)
  }

  // MARK: Evicting

  @Test func `the result that was used least recently goes, with the rows that no other has`()
    async throws
  {
    let ids = try create([1, 1, 2, 2, 3, 3])
    let backend = backend(size: 4)
    let low = Query(
      "Game", where: .field("score", .lessThan, 3) && .field("score", .greaterThan, 0))
    for query in [score(1), score(2)] { _ = try await backend.count(query) }
    #expect(try await localIDs() == Set(ids[..<4]))
    // The first one is used again, so that the second one goes.
    #expect(try await backend.count(score(1)).origin == .store)
    _ = try await backend.count(score(3))
    #expect(try await localIDs() == [ids[0], ids[1], ids[4], ids[5]])
    // Rows of two results stay while one of them does.
    #expect(try await backend.count(score(1)).origin == .store)
    _ = try await backend.count(low)
    #expect(try await localIDs() == Set(ids[..<4]))
    #expect(try await backend.count(score(1)).origin == .store)
    // One result may be larger than the size.
    #expect(try await backend.count(Query("Game")).value == 6)
    #expect(try await localIDs() == Set(ids))
    #expect(try device.pending().isEmpty && world.server.count(of: "Game") == 6)
  }

  @Test func `a row with unsent edits is not evicted, until they are sent`() async throws {
    let ids = try create([1, 1, 2, 2])
    let backend = backend(size: 2)
    _ = try await backend.count(score(1))
    try await device.store.write { db in
      let row = try #require(try db.record(of: "Game", objectID: ids[0]))
      try db.update(row.reference, ["title": "edited"])
    }
    _ = try await backend.count(score(2))
    #expect(try await localIDs() == [ids[0], ids[2], ids[3]])
    try await device.sync()
    try await device.sync()
    _ = try await backend.count(score(2), freshness: .always)
    #expect(try await localIDs() == Set(ids[2...]))
    #expect(try world.server.row("Game", ids[0])?["title"] == "edited")
  }

  @Test func `names, ages and rows outlive the process`() async throws {
    let ids = try create([1, 1, 2, 2])
    _ = try await backend().count(score(1))
    let later = backend(size: 2)
    #expect(try await later.count(score(1)).origin == .store)
    _ = try await later.count(score(2))
    #expect(try await localIDs() == Set(ids[2...]))
    let file = folder.url.appending(path: "results.json").path
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    // Without the notes, or with damaged ones, queries are asked anew, and unknown rows are evicted.
    for damage in [nil, "{", "[]"] {
      _ = try await device.coordinator.fetch(score(1))
      try FileManager.default.removeItem(atPath: file)
      if let damage { try Data(damage.utf8).write(to: URL(filePath: file)) }
      let new = backend(size: 2)
      #expect(try await new.count(score(2)).origin == .server)
      #expect(try await localIDs() == Set(ids[2...]))
    }
  }

  // MARK: Bad input

  @Test func `a query that the store cannot carry out reaches no server`() async throws {
    let backend = backend()
    _ = questions()
    for query in [Query("Nothing"), Query("Game", where: .field("nothing", .equal, 1))] {
      await #expect(throws: StoreError.self) { try await backend.records(query) }
    }
    await #expect(throws: StoreError.self) {
      try await backend.values(of: ["nothing"], in: Query("Game"))
    }
    #expect(try await backend.records(Query("Game", limit: 0)).value.isEmpty)
    #expect(world.network.requestCount == 0)
  }

  @Test func `a refusal and an ended session are errors, and lose nothing`() async throws {
    let user = try world.server.signUp("anna")
    let token = try world.server.logIn("anna")
    let session = Session(token)
    try create([1])
    var server = world.server.known(asMaster: false)
    server.sessionToken = { Secret(session.present) }
    let device = try world.device("b", schema: Self.schema, as: server)
    let backend = backend(on: device)
    #expect(try await backend.count(score(1)).value == 1)
    try await device.store.write { _ = try $0.insert("Game", ["score": 1]) }
    try world.server.setPermissions(of: "Game", ["find": [:], "get": [:], "count": [:]])
    var error = await #expect(throws: SyncError.self) {
      try await backend.count(score(1), freshness: .always)
    }
    #expect(error?.code == .queryRefused)
    try world.server.setPermissions(
      of: "Game", ["find": ["*": true], "get": ["*": true], "count": ["*": true]])
    // The session ends between the proof of the user and the question.
    world.network.setFault { [world] request in
      if request.path.hasPrefix("/classes") { try? world.server.endSession(token) }
      return nil
    }
    error = await #expect(throws: SyncError.self) {
      try await backend.count(score(1), freshness: .always)
    }
    #expect(error?.code == .loginNeeded)
    world.network.setFault(nil)
    // Another user's rows are not asked for into this store.
    _ = try world.server.signUp("bert")
    session.present = try world.server.logIn("bert")
    error = await #expect(throws: SyncError.self) {
      try await backend.count(score(1), freshness: .always)
    }
    #expect(error?.code == .otherUser)
    #expect(try await backend.count(score(1), freshness: .local).value == 2)
    #expect(try device.pending().count == 1 && !user.objectID.isEmpty)
  }

  @Test func `an answer of another class brings no row into the query`() async throws {
    try create([1])
    let answer =
      #"{"results":[{"objectId":"u1","createdAt":"2026-01-01T00:00:00.000Z","#
      + #""updatedAt":"2026-01-01T00:00:00.000Z","score":"a name","title":4}],"count":1}"#
    world.network.setFault { request in
      guard request.path == "/classes/Game" else { return nil }
      return .answered(HTTPResponse(status: 200, headers: [:], body: Data(answer.utf8)))
    }
    let backend = backend()
    #expect(try await backend.count(score(1)).value == 0)
    #expect(try await device.store.read { try $0.quarantine(of: "Game") }.map(\.objectID) == ["u1"])
    let damaged = #"{"results":[{"objectId":"#
    world.network.setFault { request in
      guard request.path == "/classes/Game" else { return nil }
      return .answered(HTTPResponse(status: 200, headers: [:], body: Data(damaged.utf8)))
    }
    let error = await #expect(throws: SyncError.self) {
      try await backend.count(score(1), freshness: .always)
    }
    #expect(error?.code == .malformedData)
    world.network.setFault(nil)
    #expect(try await backend.count(score(1), freshness: .always).value == 1)
  }
}

extension LoopbackValue {
  fileprivate static func pointer(_ className: String, _ id: String) -> LoopbackValue {
    ["__type": "Pointer", "className": .string(className), "objectId": .string(id)]
  }
}
