// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryHTTP
import FerryModel
import FerryStore
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

@testable import FerryEngine
@testable import FerryPlanning

/// Classes that learn of deletions from the log that Ferry's Cloud Code keeps.
@Suite(.timeLimit(.minutes(3))) struct LoggedDeletionTests {
  static let schema = Schema(
    Sports.schema.entities.map { $0.name == "Game" ? $0.deletions(.deletionLog) : $0 })
  static let log = "/functions/ferryDeletions"

  static func bench(_ place: StageBench.Place) throws -> StageBench {
    var options = TestServerOptions(allowsCustomIDs: true)
    options.loggedClasses = ["Game"]
    return try StageBench(place, schema: schema, options)
  }

  /// A bench with rows whose log has been read often enough to count alone.
  static func settled(
    _ place: StageBench.Place = .init(store: .memory, server: .double), rows: Int = 30
  ) throws -> (bench: StageBench, ids: [String]) {
    let bench = try bench(place)
    let ids = try bench.createGames(rows)
    // A real server has lost its log for the test, and begins it anew with the first answer.
    for _ in 0..<4 where try bench.position()?.isConfirmed != true { try bench.pull() }
    #expect(try bench.position()?.isConfirmed == true)
    bench.network.forget()
    return (bench, ids)
  }

  @Test(arguments: StageBench.Place.all)
  func `the log names what is deleted, and nothing is counted`(_ place: StageBench.Place) throws {
    let (bench, ids) = try Self.settled(place)
    try bench.delete("Game", [ids[3], ids[4]])
    let report = try bench.pull()
    #expect(report.classes["Game"]?.removed == 2 && report.logNotices.isEmpty)
    #expect(try Set(bench.games().keys) == Set(ids).subtracting([ids[3], ids[4]]))
    #expect(bench.network.exchanges.count { $0.path == Self.log } == 1)
    // One for each class's listing, one for the log, one that asks for the two records again.
    #expect(bench.network.exchanges.count <= 5)
    bench.network.forget()
    try bench.pull()
    #expect(bench.network.exchanges.count { $0.path == Self.log } == 1)
    #expect(bench.network.exchanges.count <= 4)
  }

  @Test(arguments: StageBench.Place.all)
  func `a first sync compares counts, and so does the second`(_ place: StageBench.Place) throws {
    let bench = try Self.bench(place)
    let ids = try bench.createGames(30)
    try bench.pull()
    #expect(try bench.position()?.isConfirmed == false)
    try bench.delete("Game", [ids[0]])
    #expect(try bench.pull().classes["Game"]?.removed == 1)
    #expect(try bench.games().count == 29)
  }

  /// The deletion is older than the place from which the log was read, and the log does not name it again.
  @Test func `a deletion that a late record hid from the first count is found`() throws {
    let bench = try Self.bench(.init(store: .memory, server: .double))
    let ids = try bench.createGames(30)
    try bench.run([DownloadStage(), ImportStage()])
    try bench.delete("Game", [ids[0]])
    let late = try bench.createGames(1)
    bench.network.setFault { [log = Self.log] request in
      request.path == log ? .answered(Self.answer(ids: [], until: "1")) : nil
    }
    try bench.run([DeleteMissingStage()])
    #expect(try bench.game(ids[0]) != nil)
    try bench.pull()
    #expect(try Set(bench.games().keys) == Set(ids.dropFirst() + late))
  }

  @Test(arguments: StageBench.Place.all)
  func `without the Cloud Code a sync compares counts, and says so once a day`(
    _ place: StageBench.Place
  ) throws {
    let bench = try StageBench(place, schema: Self.schema)
    let ids = try bench.createGames(30)
    let report = try bench.pull()
    #expect(report.logNotices.count == 1)
    #expect(report.logNotices.first?.message.contains("does not have Ferry's Cloud Code") == true)
    try bench.delete("Game", [ids[3]])
    bench.network.forget()
    let second = try bench.pull()
    #expect(second.classes["Game"]?.removed == 1 && second.logNotices.isEmpty)
    #expect(!bench.network.exchanges.contains { $0.path == Self.log })
    bench.wait(.seconds(86_401))
    #expect(try bench.pull().logNotices.count == 1)
  }

  @Test func `the Cloud Code goes and comes back`() throws {
    let clock = ManualClock()
    var configuration = LoopbackConfiguration()
    configuration.now = { clock.now }
    configuration.ferryModule = LoopbackFerryModule(classes: ["Game"])
    let double = try LoopbackServer(configuration)
    let bench = try StageBench(.memory, schema: Self.schema, server: TestServer(double: double))
    var ids = Set(try bench.createGames(40))
    func delete() throws {
      let gone = try #require(ids.first)
      ids.remove(gone)
      try bench.delete("Game", [gone])
    }
    for _ in 0..<3 { try bench.pull() }
    double.withBackend { $0.ferryModule = nil }
    try delete()
    #expect(try bench.pull().logNotices.count == 1)
    #expect(try Set(bench.games().keys) == ids)
    clock.advance(seconds: 86_500)
    bench.wait(.seconds(86_500))
    double.withBackend { $0.ferryModule = LoopbackFerryModule(classes: ["Game"]) }
    try delete()
    // The log begins after the last place that was read.
    let back = try bench.pull()
    #expect(back.logNotices.count == 1)
    #expect(back.logNotices.first?.message.contains("begins after the last sync") == true)
    #expect(try Set(bench.games().keys) == ids)
    #expect(try bench.position()?.isConfirmed == false)
    for _ in 0..<3 {
      try delete()
      clock.advance(seconds: 300)
      bench.wait(.seconds(300))
      #expect(try bench.pull().logNotices.isEmpty)
      #expect(try Set(bench.games().keys) == ids)
    }
    #expect(try bench.position()?.isConfirmed == true)
  }

  @Test func `a log with more than a page is read to its end`() throws {
    let (bench, ids) = try Self.settled(rows: 2_600)
    try bench.delete("Game", ids[..<2_100])
    var options = SyncOptions()
    options.removalLimit = RemovalLimit(share: 1, count: 5_000)
    #expect(try bench.pull(options: options).classes["Game"]?.removed == 2_100)
    #expect(bench.network.exchanges.count { $0.path == Self.log } == 3)
    #expect(try Set(bench.games().keys) == Set(ids[2_100...]))
  }

  static func answer(
    ids: [String], until: String, className: String = "Game", hasMore: Bool = false,
    isComplete: Bool = true
  ) -> HTTPResponse {
    let result: LoopbackValue = [
      "protocol": 1, "class": .string(className), "ids": .array(ids.map(LoopbackValue.string)),
      "until": .string(until), "hasMore": .bool(hasMore), "isComplete": .bool(isComplete),
      "completeSince": "2026-01-01T00:00:00.000Z",
    ]
    let body: LoopbackValue = ["result": result]
    return HTTPResponse(
      status: 200, headers: ["Content-Type": "application/json"], body: Data(body.text.utf8))
  }
}

extension SyncReport {
  /// The notices of a log that was of no use.
  var logNotices: [SyncNotice] { notices.filter { $0.code == .deletionLogUnused } }
}

extension StageBench {
  /// How far the log of games was read.
  func position() throws -> LogPosition? {
    try store.syncRead { try $0.state(.classState("Game")).logPosition }
  }
}
