// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryModel
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

@testable import FerryEngine
@testable import FerryPlanning

/// Differences that no download and no count shows; comparing record by record finds them.
@Suite(.timeLimit(.minutes(5))) struct RollingScanStageTests {
  /// A bench with records older than the overlap, so that a sync without changes is one request.
  struct World {
    let server: LoopbackServer
    let bench: StageBench
    let clock: ManualClock
    let ids: [String]

    init(
      _ games: Int = 12, _ strategy: DeletionStrategy = .counting, kind: StageBench.Kind = .memory,
      options: SyncOptions = SyncOptions()
    ) throws {
      var configuration = LoopbackConfiguration()
      let clock = ManualClock()
      configuration.now = { clock.now }
      let schema = Schema(
        Sports.schema.entities.map { entity in
          guard entity.name == "Game" else { return entity }
          return Entity("Game", fields: entity.fields + [Field("isRemoved", .boolean)])
            .deletions(strategy)
        })
      self.clock = clock
      server = try LoopbackServer(configuration)
      bench = try StageBench(kind, schema: schema, server: TestServer(double: server))
      var ids: [String] = []
      for number in 0..<games {
        ids.append(try bench.create("Game", ["title": .string("g\(number)"), "score": 0]))
        if number % 1_000 == 0 { clock.advance(seconds: 3600) }
      }
      self.ids = ids
      clock.advance(seconds: 600)
      // A row stamped later than the newest local record would be listed, however late it is
      // committed.
      try bench.update("Game", ids[games - 1], ["score": 1])
      clock.advance(seconds: 600)
      try bench.pull(options: options)
    }

    /// Updates a record with a stamp long before the commit.
    func updateLate(_ id: String) throws {
      let stamp = clock.now - 900
      var request = LoopbackRequest(
        "PUT", "/parse/classes/Game/\(id)",
        headers: ["X-Parse-Application-Id": "app1", "X-Parse-Master-Key": "mk"],
        json: ["title": "late"])
      request.receivedAt = stamp
      let answer = server.withBackend { [request] in $0.answer(request) }
      try #require(answer.status == 200)
    }

    /// Creates a record with a stamp long before the commit.
    func createLate(_ id: String) throws {
      let stamp = Timestamp(clock.now - 900).description
      let row: LoopbackValue = [
        "objectId": .string(id), "createdAt": .string(stamp), "updatedAt": .string(stamp),
        "title": "missed",
      ]
      try server.withBackend { backend throws(LoopbackError) in
        try backend.load(["Game": [row]])
      }
    }

    var bodies: [String] {
      bench.network.exchanges.map { String(decoding: $0.request.body, as: UTF8.self) }
    }

    func wait(days: Int) { bench.wait(.seconds(days * 86_400)) }

    /// The requests of a sync.
    @discardableResult
    func requests(
      options: SyncOptions = SyncOptions(), comparing comparison: SyncComparison = .rolling
    ) throws -> Int {
      bench.network.forget()
      try bench.pull(options: options, comparing: comparison)
      return bench.network.exchanges.count
    }
  }

  @Test(arguments: StageBench.Kind.allCases)
  func `the scan finds an update committed after the overlap within a period`(
    _ kind: StageBench.Kind
  ) throws {
    let world = try World(kind: kind)
    try world.updateLate(world.ids[3])
    #expect(try world.requests() == 1, "Neither the download nor the count shows it.")
    world.wait(days: 29)
    #expect(try world.requests() == 1, "Nothing is due yet.")
    #expect(try world.bench.game(world.ids[3])?["title"] == "g3")
    world.wait(days: 1)
    // The class's page and its empty page, the record, and the other class's empty page.
    #expect(try world.requests() <= 1 + 4)
    #expect(try world.bench.game(world.ids[3])?["title"] == "late")
    #expect(try world.requests() == 1)
  }

  @Test func `the scan finds a missed record and a deletion that cancel out in the count`() throws {
    let world = try World()
    try world.createLate("missed0001")
    try world.bench.delete("Game", [world.ids[5]])
    #expect(try world.requests() == 1)
    #expect(try world.bench.games().count == 12)
    world.wait(days: 30)
    let report = try world.bench.pull()
    #expect(report.classes["Game"]?.imported == 1 && report.classes["Game"]?.removed == 1)
    let games = try world.bench.games()
    #expect(Set(games.keys) == Set(world.ids).subtracting([world.ids[5]]).union(["missed0001"]))
    #expect(try world.bench.conflicts().contains { $0.record.objectID == world.ids[5] })
  }

  @Test func `the engine compares everything on request`() throws {
    let world = try World()
    try world.updateLate(world.ids[3])
    try world.createLate("missed0001")
    try world.bench.delete("Game", [world.ids[5]])
    try world.bench.pull(comparing: .everything)
    let games = try world.bench.games()
    #expect(games[world.ids[3]]?["title"] == "late")
    #expect(games["missed0001"] != nil && games[world.ids[5]] == nil)
    // A new lap begins with this.
    world.wait(days: 29)
    #expect(try world.requests() == 1)
  }

  @Test func `the guard holds back removals that a comparison finds`() throws {
    let world = try World(40)
    for number in 0..<30 { try world.createLate("missed00\(number)") }
    try world.bench.delete("Game", world.ids[..<30])
    let report = try world.bench.pull(comparing: .everything)
    let guarded = try #require(report.guarded.first)
    #expect(guarded.count == 30 && guarded.objectIDs == world.ids[..<30].sorted())
    #expect(try world.bench.games().count == 70)
  }

  @Test func `a rolling scan goes through a large class range by range`() throws {
    let world = try World(3_000)
    // One update in each range of the class.
    let late = [0, 1_500, 2_999].map { world.ids[$0] }
    for id in late { try world.updateLate(id) }
    var found: [[String]] = []
    for _ in 0..<3 {
      world.wait(days: 10)
      #expect(try world.requests() <= 1 + 6)
      #expect(try world.requests() == 1, "Once a day at most.")
      let games = try world.bench.games()
      found.append(late.filter { games[$0]?["title"] == "late" })
    }
    #expect(found.map(\.count) == [1, 2, 3])
    #expect(found.first == [late[2]], "The newest come first.")
  }

  @Test func `a range whose records did not arrive is compared again`() throws {
    let world = try World()
    try world.updateLate(world.ids[3])
    world.wait(days: 30)
    // The lists arrive, and the record itself does not.
    world.bench.network.setFault { request in
      String(decoding: request.body, as: UTF8.self).contains("$in") ? .answerLost : nil
    }
    #expect(throws: (any Error).self) { try world.bench.pull() }
    #expect(try world.bench.game(world.ids[3])?["title"] == "g3")
    world.bench.network.setFault(nil)
    try world.bench.pull()
    #expect(try world.bench.game(world.ids[3])?["title"] == "late")
  }

  @Test func `a daily share of zero switches the scan off`() throws {
    var options = SyncOptions()
    options.dailyScanShare = 0
    let world = try World(options: options)
    world.wait(days: 400)
    #expect(try world.requests(options: options) == 1)
    // The scan begins when it is switched on later.
    #expect(try world.requests() > 1)
  }

  @Test func `a class that never removes rows still receives missed updates`() throws {
    let world = try World(12, .never)
    try world.updateLate(world.ids[3])
    try world.createLate("missed0001")
    try world.bench.delete("Game", [world.ids[5]])
    world.wait(days: 30)
    try world.bench.pull()
    let games = try world.bench.games()
    #expect(games[world.ids[3]]?["title"] == "late" && games["missed0001"] != nil)
    #expect(games[world.ids[5]] != nil)
  }

  @Test func `soft-deleted records do not count as missed`() throws {
    let world = try World(12, .softDelete(field: "isRemoved"))
    try world.bench.update("Game", world.ids[0], ["isRemoved": true])
    try world.bench.pull()
    #expect(try world.bench.games().count == 11)
    world.clock.advance(seconds: 600)
    try world.bench.pull()
    try world.updateLate(world.ids[3])
    try world.bench.delete("Game", [world.ids[5]])
    world.wait(days: 30)
    world.bench.network.forget()
    let report = try world.bench.pull()
    #expect(report.classes["Game"]?.updated == 1 && report.classes["Game"]?.removed == 1)
    #expect(try world.bench.games()[world.ids[3]]?["title"] == "late")
    let fetched = world.bodies.filter { $0.contains("$in") }
    #expect(fetched.contains { $0.contains(world.ids[3]) })
    #expect(!fetched.contains { $0.contains(world.ids[0]) }, "The marked record is not fetched.")
    // A record that was missed and carries the soft-delete mark leaves.
    try world.server.withBackend { backend throws(LoopbackError) in
      let old = Timestamp(world.clock.now - 1500).description
      try backend.load([
        "Game": [
          [
            "objectId": .string(world.ids[7]), "createdAt": .string(old), "updatedAt": .string(old),
            "isRemoved": true,
          ]
        ]
      ])
    }
    try world.bench.pull(comparing: .everything)
    #expect(try world.bench.game(world.ids[7]) == nil)
  }

  @Test func `another user's first sync lists and compares the whole class`() throws {
    let world = try World()
    try world.updateLate(world.ids[3])
    #expect(try world.requests() == 1)
    try world.bench.store.sync(.full) { transaction in
      try transaction.change(.binding) { $0 = StoreOwner(server: "s", userID: "ann") }
    }
    // For another user, the whole class is listed again and also compared.
    try world.bench.pull()
    #expect(world.bodies.contains { $0.contains("createdAt") && $0.contains("\"limit\":1000") })
    #expect(try world.requests() == 1, "Once.")
  }
}
