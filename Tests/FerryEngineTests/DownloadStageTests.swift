// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryHTTP
import FerryModel
import FerryParse
import FerryStore
import FerryTestSupport
import Foundation
import LoopbackParse
import Synchronization
import Testing

@testable import FerryEngine
@testable import FerryPlanning

@Suite(.timeLimit(.minutes(5))) struct DownloadStageTests {
  private static let download: [any Stage] = [DownloadStage()]

  /// Creates games years ago, one second apart.
  private func loadOldGames(_ bench: StageBench, _ count: Int) throws -> [String] {
    try bench.server.load(
      "Game",
      (0..<count).map { number in
        let second = number < 10 ? "0\(number)" : "\(number)"
        let stamp = LoopbackValue.date("2024-05-01T10:00:\(second).000Z")
        return ["score": 0, "createdAt": stamp, "updatedAt": stamp]
      })
  }

  // MARK: How many requests

  @Test(arguments: TestServer.Kind.all)
  func `a sync without changes sends one request`(on kind: TestServer.Kind) throws {
    let bench = try StageBench(on: kind)
    _ = try loadOldGames(bench, 30)
    // This runs the first part of the rolling scan.
    for _ in 0..<2 { try bench.pull() }
    bench.network.forget()
    try bench.pull()
    #expect(bench.paths == ["/batch"])
  }

  @Test(arguments: TestServer.Kind.all)
  func `a few changes arrive with the same single request`(on kind: TestServer.Kind) throws {
    let bench = try StageBench(on: kind)
    let ids = try bench.createGames(30)
    try bench.pull()
    for id in ids[..<3] { try bench.update("Game", id, ["score": 5]) }
    bench.network.forget()
    try bench.run([DownloadStage(), ImportStage()])
    #expect(bench.paths == ["/batch"])
    try bench.expectAllLocal()
  }

  @Test(arguments: TestServer.Kind.all)
  func `a first sync sends one request per page and class`(on kind: TestServer.Kind) throws {
    let bench = try StageBench(on: kind)
    _ = try loadOldGames(bench, 40)
    var options = SyncOptions()
    options.pageSize = 10
    try bench.run([DownloadStage(), ImportStage()], options: options)
    let games = bench.paths.count { $0 == "/classes/Game" }
    // Four pages, and one query for the newest row.
    #expect(games == 5)
    #expect(bench.paths.count { $0 == "/classes/League" } == 1)
    try bench.expectAllLocal()
  }

  // MARK: Limits, ties, hidden rows

  @Test(arguments: TestServer.Kind.all)
  func `a listing is complete when the server caps pages at seven rows`(
    on kind: TestServer.Kind
  ) throws {
    var options = TestServerOptions()
    options.maxLimit = 7
    let bench = try StageBench(on: kind, options)
    let ids = try bench.createGames(50)
    try bench.pull()
    try bench.expectAllLocal()
    for id in ids[..<20] { try bench.update("Game", id, ["score": 9]) }
    try bench.pull()
    try bench.expectAllLocal()
  }

  @Test(arguments: TestServer.Kind.all)
  func `two thousand rows with one time stamp arrive`(on kind: TestServer.Kind) throws {
    let bench = try StageBench(on: kind)
    let stamp = LoopbackValue.date("2024-05-01T10:00:00.123Z")
    let ids = try bench.server.load(
      "Game",
      Array(repeating: ["score": 0, "createdAt": stamp, "updatedAt": stamp], count: 2500))
    _ = try bench.createGames(3)
    try bench.pull()
    try bench.expectAllLocal()
    #expect(bench.paths.count < 16)
    try bench.delete("Game", [ids[1234]])
    try bench.pull()
    try bench.expectAllLocal()
  }

  @Test(arguments: TestServer.Kind.all)
  func `rows behind hidden ones arrive, and the count is not trusted`(
    on kind: TestServer.Kind
  ) throws {
    var serverOptions = TestServerOptions()
    serverOptions.cloudCode = .hidesNegativeGames
    let bench = try StageBench(on: kind, serverOptions)
    let ids = try loadOldGames(bench, 8)
    for id in ids[..<6] { try bench.update("Game", id, ["score": -1]) }
    for id in ids[6...] { try bench.update("Game", id, ["score": 1]) }
    var options = SyncOptions()
    options.pageSize = 2
    let first = try bench.pull(options: options)
    #expect(!first.notices.map(\.code).contains(.countUnreliable))
    #expect(try bench.games().count == 2)
    let second = try bench.pull(options: options)
    #expect(second.notices.map(\.code) == [.countUnreliable])
  }

  // MARK: Resuming

  @Test(arguments: TestServer.Kind.all)
  func `an interrupted download resumes at its page`(on kind: TestServer.Kind) throws {
    let bench = try StageBench(on: kind)
    let ids = try bench.createGames(60)
    var options = SyncOptions()
    options.pageSize = 10
    let answered = Mutex(0)
    bench.network.setFault { request in
      guard request.path.hasSuffix("/Game") else { return nil }
      return answered.withLock {
        $0 += 1; return $0 > 4 ? .requestLost : nil
      }
    }
    #expect(throws: SyncError.self) { try bench.run(Self.download, options: options) }
    let cut = try #require(try bench.staged())
    #expect(cut.lastPage == 3 && !cut.isComplete)
    bench.network.setFault(nil)
    // Rows that were listed change, and a new row appears.
    try bench.update("Game", ids[0], ["score": 4])
    try bench.create("Game", ["score": 1])
    bench.network.forget()
    try bench.run(Self.download, options: options)
    let whole = try #require(try bench.staged())
    #expect(whole.isComplete && whole.listing.id == cut.listing.id)
    #expect(whole.entries.prefix(3).elementsEqual(cut.entries))
    // Later changes are listed after the resumed pages, so that no stale version remains.
    #expect(whole.segments.map(\.number) == [1, 2])
    #expect(whole.segments.first?.serverTimeLowerBound == cut.segments.first?.serverTimeLowerBound)
    try bench.run([ImportStage()], options: options)
    try bench.expectAllLocal()
  }

  @Test(arguments: TestServer.Kind.all)
  func `a complete staged listing is brought up to date`(on kind: TestServer.Kind) throws {
    let bench = try StageBench(on: kind)
    let ids = try bench.createGames(20)
    try bench.run(Self.download)
    try bench.update("Game", ids[7], ["score": 3])
    bench.network.forget()
    try bench.run(Self.download)
    #expect(try bench.staged()?.segments.count == 2)
    #expect(bench.paths == ["/batch"])
    try bench.run([ImportStage()])
    try bench.expectAllLocal()
  }

  @Test(arguments: TestServer.Kind.all)
  func `a new field discards the staged pages`(on kind: TestServer.Kind) throws {
    let older = Schema {
      Entity("League") { Field("name", .text) }
      Entity("Game") { Field("title", .text) }
    }
    let bench = try StageBench(on: kind, schema: older)
    _ = try bench.createGames(10)
    try bench.run(Self.download)
    let before = try #require(try bench.staged())
    let store = try InMemoryStore(schema: Sports.schema)
    try store.sync(.normal) { transaction in
      let id = try bench.store.syncRead { try $0.state(.storeID) }
      try transaction.change(.storeID) { $0 = id }
    }
    try bench.run(Self.download, store: store)
    let after = try #require(try bench.staged())
    #expect(after.listing.id != before.listing.id)
    #expect(after.listing.keys.contains("score"))
  }

  // MARK: Batches

  @Test(arguments: TestServer.Kind.all)
  func `the engine remembers broken batches and tries them again after a day`(
    on kind: TestServer.Kind
  ) throws {
    var options = TestServerOptions()
    options.breaksBatches = true
    let bench = try StageBench(on: kind, options)
    let ids = try bench.createGames(5)
    try bench.run([DownloadStage(), ImportStage()])
    for (round, batches) in [(1, 1), (2, 0), (3, 0)] {
      try bench.update("Game", ids[0], ["score": .number(Double(round))])
      bench.network.forget()
      let report = try bench.run([DownloadStage(), ImportStage()])
      #expect(bench.paths.count { $0 == "/batch" } == batches)
      #expect(report.notices.count { $0.code == .batchUnavailable } == batches)
      try bench.expectAllLocal()
    }
    bench.wait(.seconds(25 * 60 * 60))
    bench.network.forget()
    try bench.run([DownloadStage(), ImportStage()])
    #expect(bench.paths.count { $0 == "/batch" } == 1)
  }

  @Test(arguments: TestServer.Kind.all)
  func `the engine finds and keeps a small batch limit`(on kind: TestServer.Kind) throws {
    var options = TestServerOptions()
    options.batchLimit = 2
    let bench = try StageBench(on: kind, options)
    _ = try bench.createGames(5)
    try bench.run([DownloadStage(), ImportStage()], isMaster: false)
    bench.network.forget()
    try bench.run([DownloadStage(), ImportStage()], isMaster: false)
    #expect(bench.network.exchanges.map(\.status) == [400, 200, 200])
    bench.network.forget()
    try bench.run([DownloadStage(), ImportStage()], isMaster: false)
    #expect(bench.network.exchanges.map(\.status) == [200, 200])
  }

  // MARK: Clocks

  @Test(arguments: [nil, -3600.0, 0, 3600])
  func `no row is missed whatever the Date header says`(_ skew: Double?) throws {
    var configuration = LoopbackConfiguration()
    configuration.dateHeaderSkew = skew
    configuration.maxLimit = 7
    let clock = ManualClock()
    configuration.now = { clock.now }
    let bench = try StageBench(double: configuration)
    for round in 0..<6 {
      for number in 0..<10 {
        clock.advance(seconds: 2)
        try bench.create("Game", ["score": .number(Double(round * 100 + number))])
      }
      clock.advance(seconds: 60)
      // Without the search for missing records, which would import missed ones.
      try bench.run([DownloadStage(), ImportStage()])
      try bench.expectAllLocal()
      clock.advance(seconds: Double([1, 30, 300, 4000, 20, 5][round]))
    }
  }

  @Test(arguments: TestServer.Kind.all)
  func `staged pages of an unregistered class are discarded`(on kind: TestServer.Kind) throws {
    let bench = try StageBench(on: kind)
    _ = try bench.createGames(5)
    try bench.run(Self.download)
    let area = try StagingArea(folder: bench.staging)
    var strange = try area.begin(
      Listing(
        id: "x", className: "Player", fingerprint: "f", uploadSequence: 0, startedAt: .now))
    try area.save(&strange)
    try bench.run(Self.download)
    #expect(try area.listings().map(\.className) == ["Game", "League"])
  }
}
