// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryStore
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

/// Classes whose records an app fetches when it needs them.
@Suite(.timeLimit(.minutes(5))) struct OnDemandTests {
  static let schema = Schema(
    Sports.schema.entities.map { $0.name == "Game" ? $0.onDemand() : $0 })

  private let world: SyncWorld
  private let kind: TestServer.Kind

  init() throws { try self.init(.double) }

  private init(_ kind: TestServer.Kind) throws {
    self.kind = kind
    world = try SyncWorld(kind)
  }

  private func games(_ device: Device) async throws -> [String: Record] {
    let rows = try await device.store.read { try $0.records(of: "Game") }
    return Dictionary(uniqueKeysWithValues: rows.map { ($0.objectID, $0) })
  }

  private func edit(_ device: Device, _ id: String, _ fields: Fields) async throws {
    try await device.store.write { db in
      let row = try #require(try db.record(of: "Game", objectID: id))
      try db.update(row.reference, fields)
    }
  }

  @Test(arguments: TestServer.Kind.all)
  func `a sync leaves the class alone, and a fetch brings what is asked for`(
    on kind: TestServer.Kind
  ) async throws {
    let test = try OnDemandTests(kind)
    let world = test.world
    let device = try world.device(schema: Self.schema)
    let league = try world.server.create("League", ["name": "North"])
    let ids = try world.server.create(
      "Game", (0..<5).map { ["title": .string("g\($0)"), "score": .number(Double($0))] })
    try await device.sync()
    #expect(try await test.games(device).isEmpty)
    #expect(try await device.store.read { try $0.record(of: "League", objectID: league) } != nil)
    let query = Query("Game", where: .field("score", .greaterThan, 2))
    let before = world.network.exchanges.count
    let fetched = try await device.coordinator.fetch(query)
    // The proof of the master key, and one page that has all.
    #expect(world.network.exchanges.count == before + 2)
    #expect(fetched.isExact && fetched.isComplete && fetched.unreadable.isEmpty)
    #expect(Set(fetched.records.map(\.objectID)) == Set(ids[3...]))
    #expect(Set(try await test.games(device).keys) == Set(ids[3...]))
    // The sync after that removes nothing, and lists nothing.
    try world.server.delete("Game", [ids[4]])
    let report = try await device.sync()
    #expect(report.outcome == .complete && report.classes["Game"]?.removed == 0)
    #expect(Set(try await test.games(device).keys) == Set(ids[3...]))
  }

  @Test(arguments: TestServer.Kind.all)
  func `the first rows of an order come with those that equal the last of them`(
    on kind: TestServer.Kind
  ) async throws {
    let test = try OnDemandTests(kind)
    let device = try test.world.device(schema: Self.schema)
    let scores: [Double?] = [5, 3, 3, 1, nil, 3, 9]
    let ids = try test.world.server.create(
      "Game", scores.map { score in score.map { ["score": .number($0)] } ?? ["title": "none"] })
    func fetch(_ field: String, descending: Bool = false, limit: Int) async throws -> Set<String> {
      let query = Query(
        "Game", orderedBy: descending ? .descending(field) : .ascending(field), limit: limit)
      return Set(try await device.coordinator.fetch(query).records.map(\.objectID))
    }
    #expect(try await fetch("score", descending: true, limit: 1) == [ids[6]])
    #expect(
      try await fetch("score", descending: true, limit: 3) == Set([0, 1, 2, 5, 6].map { ids[$0] }))
    #expect(try await fetch("score", limit: 1) == [ids[3], ids[4]])
    #expect(try await fetch("score", limit: 100) == Set(ids))
    #expect(try await fetch("title", limit: 1) == Set(ids))
  }

  @Test(arguments: [ConflictPolicy.remoteWins, .localWins])
  func `an edit meets an edit of another client as in any other class`(
    _ policy: ConflictPolicy
  ) async throws {
    let conflicts = ConflictPolicies(policy)
    let ids = try world.server.create(
      "Game", [["title": "a", "score": 1], ["title": "b"], ["title": "c"], ["title": "d"]])
    let onDemand = try world.device("a", schema: Self.schema, conflicts: conflicts)
    let ordinary = try world.device("b", conflicts: conflicts)
    _ = try await onDemand.coordinator.fetch(Query("Game"))
    try await ordinary.sync()
    for device in [onDemand, ordinary] {
      try await edit(device, ids[0], ["title": "mine"])
      try await edit(device, ids[1], ["score": 7])
      try await edit(device, ids[2], ["title": "lost"])
      try await device.store.write { db in
        try db.delete(try #require(try db.record(of: "Game", objectID: ids[3])).reference)
      }
    }
    try world.server.update("Game", ids[0], ["title": "theirs"])
    try world.server.update("Game", ids[1], ["title": "theirs"])
    try world.server.update("Game", ids[3], ["title": "theirs"])
    try world.server.delete("Game", [ids[2]])
    try world.server.create("Game", ["title": "other"])
    // Neither sends, so that both meet the same server.
    for device in [onDemand, ordinary] { try await device.sync(.through(.deleteMissing)) }
    func outcome(_ device: Device) async throws -> [String] {
      let rows = try await games(device).filter { ids.contains($0.key) }
        .map { "\($0.key) \($0.value["title"]) \($0.value["score"])" }
      let lost = try await device.store.read { try $0.conflicts() }
        .map { "\($0.record.objectID) \($0.reason) \($0.lost)" }
      let unsent = try device.pending().map { "\($0.objectID) \($0.kind) \($0.changed.sorted())" }
      return rows.sorted() + lost.sorted() + unsent.sorted()
    }
    let expected = try await outcome(ordinary)
    #expect(try await outcome(onDemand) == expected)
    #expect(expected.count > 6)
    let report = try await onDemand.sync()
    #expect(report.outcome == .complete)
    #expect(try onDemand.pending().filter(\.isUnsent).isEmpty)
    #expect(try world.server.row("Game", ids[1])?["score"] == 7)
  }

  @Test func `a field that is declared later comes for the rows that are there`() async throws {
    let game = try #require(Self.schema.entity("Game"))
    let fewer = Schema([
      try #require(Self.schema.entity("League")),
      Entity("Game", fields: game.fields.filter { $0.name != "score" }).onDemand(),
    ])
    let id = try world.server.create("Game", ["title": "a", "score": 4])
    var device = try world.device(schema: fewer)
    _ = try await device.coordinator.fetch(Query("Game"))
    device = try world.device(schema: Self.schema)
    #expect(try await games(device)[id]?["score"] == .null)
    try await device.sync()
    #expect(try await games(device)[id]?["score"] == 4)
    let before = world.network.exchanges.count
    try await device.sync()
    #expect(world.network.exchanges.count <= before + 3, "once is enough")
  }

  @Test(arguments: [DeletionStrategy.counting, .never])
  func `a class that is listed again gets all its rows`(
    _ strategy: DeletionStrategy
  ) async throws {
    func open(isOnDemand: Bool) throws -> Device {
      let schema = isOnDemand ? Self.schema : Sports.schema
      var options = SyncOptions()
      options.overlap = .zero
      return try world.device(
        schema: Schema(schema.entities.map { $0.name == "Game" ? $0.deletions(strategy) : $0 }),
        options: options)
    }
    // So old that no listing from a cursor shows them.
    let old: LoopbackValue = ["__type": "Date", "iso": "2020-01-01T00:00:00.000Z"]
    let ids = try world.server.load(
      "Game",
      ["a", "b"].map { ["title": .string($0), "createdAt": old, "updatedAt": old] })
    try world.server.create("Game", ["title": "new"])
    var device = try open(isOnDemand: false)
    try await device.sync()
    device = try open(isOnDemand: true)
    let rows = try await device.store.read { try $0.references(Query("Game")) }
    #expect(try await device.coordinator.evict(rows).evicted.count == 3)
    device = try open(isOnDemand: false)
    try await device.sync()
    #expect(Set(try await games(device).keys).isSuperset(of: ids))
  }

  @Test func `an eviction takes synced rows, sends nothing, and names the others`() async throws {
    let ids = try world.server.create("Game", [["title": "a"], ["title": "b"]])
    let device = try world.device(schema: Self.schema)
    _ = try await device.coordinator.fetch(Query("Game"))
    try await edit(device, ids[0], ["title": "edited"])
    let new = try await device.store.write { try $0.insert("Game", ["title": "new"]) }
    let all = try await device.store.read { try $0.references(Query("Game")) }
    let before = world.network.exchanges.count
    let report = try await device.coordinator.evict(all + all)
    #expect(world.network.exchanges.count == before)
    #expect(report.evicted.map(\.objectID) == [ids[1]])
    #expect(
      Set(report.kept.map(\.localID))
        == Set(all.map(\.localID)).subtracting(report.evicted.map(\.localID)))
    #expect(report.kept.map(\.localID).contains(new.localID))
    try await device.sync()
    #expect(try world.server.count(of: "Game") == 3)
    // Confirmed by now, they leave, and a fetch brings all again.
    try await device.sync()
    let rest = try await device.store.read { try $0.references(Query("Game")) }
    #expect(try await device.coordinator.evict(rest).kept.isEmpty)
    #expect(try await games(device).isEmpty)
    _ = try await device.coordinator.fetch(Query("Game"))
    #expect(try await games(device).count == 3)
    #expect(try device.pending().isEmpty)
    let leagues = [RecordReference(className: "League", localID: LocalID(), objectID: "x")]
    let error = await #expect(throws: SyncError.self) {
      try await device.coordinator.evict(leagues)
    }
    #expect(error?.code == .configuration)
  }

  @Test(arguments: TestServer.Kind.all)
  func `a refusal has a code, and takes nothing away`(on kind: TestServer.Kind) async throws {
    let test = try OnDemandTests(kind)
    let world = test.world
    let device = try world.device(
      schema: Self.schema, as: world.server.known(asMaster: false))
    let id = try world.server.create("Game", ["title": "a", "score": 1])
    _ = try await device.coordinator.fetch(Query("Game"))
    try await test.edit(device, id, ["title": "edited"])
    let rows = try await test.games(device)
    try world.server.setPermissions(of: "Game", ["find": [:], "get": [:], "count": [:]])
    var error = await #expect(throws: SyncError.self) {
      try await device.coordinator.fetch(Query("Game"))
    }
    #expect(error?.code == .queryRefused)
    error = await #expect(throws: SyncError.self) {
      try await device.coordinator.fetch(Query("Nothing"))
    }
    #expect(error?.code == .configuration)
    error = await #expect(throws: SyncError.self) {
      try await device.coordinator.fetch(Query("Game", where: .field("unknown", .equal, 1)))
    }
    #expect(error?.code == .configuration)
    #expect(try await test.games(device) == rows && device.pending().count == 1)
    try world.server.setPermissions(
      of: "Game", ["find": ["requiresAuthentication": true], "get": [:], "count": [:]])
    error = await #expect(throws: SyncError.self) {
      try await device.coordinator.fetch(Query("Game"))
    }
    #expect(error?.code == .loginNeeded)
    // Listing without counting is enough.
    try world.server.setPermissions(of: "Game", ["find": ["*": true], "get": [:], "count": [:]])
    #expect(try await device.coordinator.fetch(Query("Game")).isComplete)
  }

  @Test func `a record that cannot be read is set aside and named`() async throws {
    let device = try world.device(schema: Self.schema)
    let ids = try world.server.create("Game", [["score": "many"], ["title": "a"]])
    // The class has a text for a score, so the second record is of another column.
    let fetched = try await device.coordinator.fetch(Query("Game"))
    #expect(fetched.unreadable == [ids[0]] && fetched.records.map(\.objectID) == [ids[1]])
    #expect(
      try await device.store.read { try $0.quarantine(of: "Game") }.map(\.objectID) == [ids[0]])
  }

  @Test func `a record in quarantine is asked for at the app's wish, and forgotten if it is gone`()
    async throws
  {
    let device = try world.device(schema: Self.schema)
    let ids = try world.server.create("Game", [["tags": "no list"], ["tags": "no list either"]])
    _ = try await device.coordinator.fetch(Query("Game"))
    func setAside() async throws -> Set<String> {
      Set(try await device.store.read { try $0.quarantine(of: "Game").map(\.objectID) })
    }
    #expect(try await setAside() == Set(ids))
    world.network.forget()
    try await device.sync()
    #expect(!world.network.exchanges.contains { $0.path == "/classes/Game" })
    try world.server.delete("Game", [ids[0]])
    for id in ids {
      #expect(try await device.store.retryQuarantined(of: "Game", objectID: id))
    }
    try await device.sync()
    #expect(try await setAside() == [ids[1]])
  }

  @Test func `an unsent edit that moves a row out makes room for the next one`() async throws {
    let device = try world.device(schema: Self.schema)
    let ids = try world.server.create("Game", [5, 4, 3, 2].map { ["score": .number($0)] })
    let best = Query("Game", orderedBy: .descending("score"), limit: 2)
    _ = try await device.coordinator.fetch(best)
    #expect(Set(try await games(device).keys) == Set(ids[..<2]))
    try await edit(device, ids[0], ["score": 0])
    _ = try await device.coordinator.fetch(best)
    #expect(
      try await device.store.read { try $0.records(best).map(\.objectID) } == Array(ids[1...2]))
  }

  @Test(arguments: [1.0, -1.0])
  func `a record that cannot be read leaves its place in a limited answer to the next one`(
    sign: Double
  ) async throws {
    let device = try world.device(schema: Self.schema)
    let ids = try world.server.create(
      "Game",
      [
        ["score": .number(sign), "tags": "no list"], ["score": .number(2 * sign)],
        ["score": .number(3 * sign)], ["score": .number(9 * sign)],
      ])
    // A row of the store that sorts behind the answer must not fill it.
    _ = try await device.coordinator.fetch(
      Query("Game", where: .field("score", .equal, .number(9 * sign))))
    let first = Query(
      "Game", orderedBy: sign > 0 ? .ascending("score") : .descending("score"), limit: 2)
    let fetched = try await device.coordinator.fetch(first)
    #expect(fetched.unreadable == [ids[0]])
    #expect(
      try await device.store.read { try $0.records(first).map(\.objectID) } == Array(ids[1...2]))
  }

  @Test func `a limit ends a fetch, and says so`() async throws {
    var options = SyncOptions()
    options.pageSize = 2
    let device = try world.device(schema: Self.schema, options: options)
    _ = try world.server.create("Game", (0..<7).map { ["score": .number(Double($0))] })
    let part = try await device.coordinator.fetch(Query("Game"), upTo: 3)
    #expect(!part.isComplete && part.records.count == 4)
    let all = try await device.coordinator.fetch(Query("Game"))
    #expect(all.isComplete && all.records.count == 7)
  }

  @Test func `a server that does not answer is asked once, and the store stays as it is`()
    async throws
  {
    let device = try world.device(schema: Self.schema)
    _ = try world.server.create("Game", ["title": "a"])
    _ = try await device.coordinator.fetch(Query("Game"))
    let rows = try await games(device)
    let before = world.network.exchanges.count
    world.network.setFault { _ in .requestLost }
    let error = await #expect(throws: SyncError.self) {
      try await device.coordinator.fetch(Query("Game"))
    }
    #expect(error?.code == .tryAgain)
    #expect(world.network.exchanges.count == before + 1)
    #expect(try await games(device) == rows)
  }
}
