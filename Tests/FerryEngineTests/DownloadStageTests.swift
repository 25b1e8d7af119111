// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryModel
import FerryParse
import FerryStore
import FerryTestSupport
import Foundation
import LoopbackParse
import Synchronization
import Testing

@testable import FerryEngine

@Suite(.timeLimit(.minutes(5))) struct DownloadStageTests {
  private static let download: [any Stage] = [DownloadStage()]

  private func paths(_ bench: StageBench) -> [String] {
    bench.server.exchanges.map { $0.request.path }
  }

  private func staged(_ bench: StageBench, _ className: String = "Game") throws -> StagedListing? {
    try StagingArea(folder: bench.staging).listing(of: className)
  }

  private func expectAllHere(
    _ bench: StageBench, location: SourceLocation = #_sourceLocation
  ) throws {
    let there = bench.server.backend.objects(of: "Game").compactMap { $0["objectId"]?.string }
    #expect(try Set(bench.games().keys) == Set(there), sourceLocation: location)
    for row in bench.server.backend.objects(of: "Game") {
      let here = try row["objectId"]?.string.flatMap { try bench.game($0) }
      #expect(
        here?["score"] == row["score"]?.number.map { .integer(Int64($0)) }, sourceLocation: location
      )
    }
  }

  /// Each row has a stamp of its own.
  private func steadyClock() -> LoopbackConfiguration {
    var configuration = LoopbackConfiguration()
    let clock = ManualClock()
    configuration.now = {
      clock.advance(seconds: 0.01)
      return clock.now
    }
    return configuration
  }

  // MARK: How many requests

  @Test func aSyncWithoutChangesIsOneRequest() throws {
    let clock = ManualClock()
    var configuration = LoopbackConfiguration()
    configuration.now = { clock.now }
    let bench = try StageBench(.memory, configuration)
    _ = try bench.createGames(30)
    try bench.create("League", ["name": "North"])
    // The first share of the rolling sweep is taken, and the overlap is over.
    for _ in 0..<2 {
      try bench.pull()
      clock.advance(seconds: 200)
    }
    bench.server.forgetExchanges()
    try bench.pull()
    #expect(paths(bench) == ["/parse/batch"])
    #expect(bench.server.violations.isEmpty)
  }

  @Test func aFewChangesComeWithThatOneRequest() throws {
    let bench = try StageBench()
    let ids = try bench.createGames(30)
    try bench.pull()
    for id in ids[..<3] { try bench.update("Game", id, ["score": 5]) }
    bench.server.forgetExchanges()
    try bench.run([DownloadStage(), ImportStage()])
    #expect(paths(bench) == ["/parse/batch"])
    try expectAllHere(bench)
  }

  @Test func aFirstSyncIsOneRequestAPageAndAClass() throws {
    let bench = try StageBench(.memory, steadyClock())
    _ = try bench.createGames(40)
    var options = SyncOptions()
    options.pageSize = 10
    try bench.run([DownloadStage(), ImportStage()], options: options)
    let games = paths(bench).count { $0 == "/parse/classes/Game" }
    // Four pages, and one question for the newest row.
    #expect(games == 5)
    #expect(paths(bench).count { $0 == "/parse/classes/League" } == 1)
    try expectAllHere(bench)
  }

  // MARK: Limits, ties, hidden rows

  @Test func aServerThatGivesSevenAtATime() throws {
    var configuration = LoopbackConfiguration()
    configuration.maxLimit = 7
    let bench = try StageBench(.memory, configuration)
    let ids = try bench.createGames(50)
    try bench.pull()
    try expectAllHere(bench)
    for id in ids[..<20] { try bench.update("Game", id, ["score": 9]) }
    try bench.pull()
    try expectAllHere(bench)
  }

  @Test func twoThousandRowsOfOneStamp() throws {
    let bench = try StageBench()
    let rows = (0..<2500).map { number -> LoopbackValue in
      [
        "objectId": .string("row\(number)"), "score": 0,
        "createdAt": "2024-05-01T10:00:00.123Z", "updatedAt": "2024-05-01T10:00:00.123Z",
      ]
    }
    try bench.server.withBackend { backend throws(LoopbackError) in
      try backend.load(["Game": .array(rows)])
    }
    _ = try bench.createGames(3)
    try bench.pull()
    try expectAllHere(bench)
    #expect(paths(bench).count < 16)
    try bench.delete("Game", ["row1234"])
    try bench.pull()
    try expectAllHere(bench)
  }

  @Test func hiddenRowsMakeTheListingIncompleteThenTheCountUnbelieved() throws {
    var configuration = steadyClock()
    configuration.triggers["Game"] = LoopbackTriggers(afterFind: { rows in
      rows.filter { ($0["score"]?.number ?? 0) >= 0 }
    })
    let bench = try StageBench(.memory, configuration)
    let ids = try bench.createGames(8)
    for id in ids[4...] { try bench.update("Game", id, ["score": -1]) }
    var options = SyncOptions()
    options.pageSize = 2
    let first = try bench.run(Self.download, options: options)
    #expect(first.notices.map(\.code) == [.listingIncomplete])
    #expect(try staged(bench)?.recordCount == 4)
    #expect(try staged(bench)?.isComplete == false)
    let second = try bench.run(Self.download, options: options)
    #expect(second.notices.map(\.code) == [.countUnreliable])
    #expect(try staged(bench)?.end?.isCounted == false)
    #expect(try bench.run(Self.download, options: options).notices.isEmpty)
  }

  // MARK: Resuming

  @Test func aDownloadThatIsCutGoesOnAtItsPage() throws {
    let bench = try StageBench()
    let ids = try bench.createGames(60)
    var options = SyncOptions()
    options.pageSize = 10
    let answered = Mutex(0)
    bench.server.setFault { request in
      guard request.path.hasSuffix("/Game") else { return nil }
      return answered.withLock {
        $0 += 1; return $0 > 4 ? .requestLost : nil
      }
    }
    #expect(throws: SyncError.self) { try bench.run(Self.download, options: options) }
    let cut = try #require(try staged(bench))
    #expect(cut.lastPage == 3 && !cut.isComplete)
    bench.server.setFault(nil)
    // Rows already listed change, and one comes.
    try bench.update("Game", ids[0], ["score": 4])
    try bench.create("Game", ["score": 1])
    bench.server.forgetExchanges()
    try bench.run(Self.download, options: options)
    let whole = try #require(try staged(bench))
    #expect(whole.isComplete && whole.listing.id == cut.listing.id)
    #expect(whole.entries.prefix(3).elementsEqual(cut.entries))
    // What changed since is listed behind what was resumed, so that nothing stale alone is imported.
    #expect(whole.segments.map(\.number) == [1, 2])
    #expect(whole.segments.first?.floor == cut.segments.first?.floor)
    try bench.run([ImportStage()], options: options)
    try expectAllHere(bench)
  }

  @Test func aCompleteListingThatWaitsIsBroughtUpToDate() throws {
    let bench = try StageBench()
    let ids = try bench.createGames(20)
    try bench.run(Self.download)
    try bench.update("Game", ids[7], ["score": 3])
    bench.server.forgetExchanges()
    try bench.run(Self.download)
    #expect(try staged(bench)?.segments.count == 2)
    #expect(paths(bench) == ["/parse/batch"])
    try bench.run([ImportStage()])
    try expectAllHere(bench)
  }

  @Test func aFieldThatIsNewDiscardsWhatIsStaged() throws {
    let older = Schema {
      Entity("League") { Field("name", .text) }
      Entity("Game") { Field("title", .text) }
    }
    let bench = try StageBench(.memory, schema: older)
    _ = try bench.createGames(10)
    try bench.run(Self.download)
    let before = try #require(try staged(bench))
    let store = try InMemoryStore(schema: Sports.schema)
    try store.sync(.normal) { transaction in
      let id = try bench.store.syncRead { try $0.state(.storeID) }
      try transaction.change(.storeID) { $0 = id }
    }
    try bench.run(Self.download, store: store)
    let after = try #require(try staged(bench))
    #expect(after.listing.id != before.listing.id)
    #expect(after.listing.keys.contains("score"))
  }

  // MARK: Batches

  @Test func brokenBatchesAreLearnedAndTriedAgainAfterADay() throws {
    var configuration = LoopbackConfiguration()
    configuration.brokenBatch = true
    let bench = try StageBench(.memory, configuration)
    let ids = try bench.createGames(5)
    try bench.run([DownloadStage(), ImportStage()])
    for (round, batches) in [(1, 1), (2, 0), (3, 0)] {
      try bench.update("Game", ids[0], ["score": .number(Double(round))])
      bench.server.forgetExchanges()
      let report = try bench.run([DownloadStage(), ImportStage()])
      #expect(paths(bench).count { $0 == "/parse/batch" } == batches)
      #expect(report.notices.count { $0.code == .batchUnavailable } == batches)
      try expectAllHere(bench)
    }
    bench.wait(.seconds(25 * 60 * 60))
    bench.server.forgetExchanges()
    try bench.run([DownloadStage(), ImportStage()])
    #expect(paths(bench).count { $0 == "/parse/batch" } == 1)
  }

  @Test func aSmallBatchLimitIsFoundAndKept() throws {
    var configuration = LoopbackConfiguration()
    configuration.batchRequestLimit = 2
    let bench = try StageBench(.memory, configuration)
    _ = try bench.createGames(5)
    try bench.run([DownloadStage(), ImportStage()], isMaster: false)
    bench.server.forgetExchanges()
    try bench.run([DownloadStage(), ImportStage()], isMaster: false)
    #expect(bench.server.exchanges.map(\.status) == [400, 200, 200])
    bench.server.forgetExchanges()
    try bench.run([DownloadStage(), ImportStage()], isMaster: false)
    #expect(bench.server.exchanges.map(\.status) == [200, 200])
  }

  // MARK: Clocks

  @Test(arguments: [nil, -3600.0, 0, 3600])
  func noRowIsMissedWhateverTheDateSays(_ skew: Double?) throws {
    var configuration = LoopbackConfiguration()
    configuration.dateHeaderSkew = skew
    configuration.maxLimit = 7
    let clock = ManualClock()
    configuration.now = { clock.now }
    let bench = try StageBench(.memory, configuration)
    for round in 0..<6 {
      for number in 0..<10 {
        clock.advance(seconds: 2)
        try bench.create("Game", ["score": .number(Double(round * 100 + number))])
      }
      clock.advance(seconds: 60)
      // Without the look for missing records, which would bring what was missed.
      try bench.run([DownloadStage(), ImportStage()])
      try expectAllHere(bench)
      clock.advance(seconds: Double([1, 30, 300, 4000, 20, 5][round]))
    }
  }

  // MARK: Refusals

  @Test func aClassThatMayNotBeListedFailsAlone() throws {
    let bench = try StageBench()
    _ = try bench.createGames(5)
    try bench.create("League", ["name": "North"])
    try bench.server.withBackend { backend throws(LoopbackError) in
      try backend.setPermissions(of: "League", ["find": [:], "get": [:], "count": [:]])
    }
    let report = try bench.pull(isMaster: false)
    let failed = report.notices.filter { $0.code == .classFailed }
    #expect(failed.map(\.className) == ["League"])
    #expect(failed.first?.message.hasPrefix("League could not be downloaded. What is here") == true)
    try expectAllHere(bench)
  }

  @Test func aClassForUsersOnlyWaitsForALogin() throws {
    let bench = try StageBench()
    _ = try bench.createGames(5)
    try bench.server.withBackend { backend throws(LoopbackError) in
      try backend.setPermissions(
        of: "Game", ["find": ["requiresAuthentication": true], "get": [:], "count": [:]])
    }
    let error = #expect(throws: SyncError.self) { try bench.pull(isMaster: false) }
    #expect(error?.code == .loginNeeded)
  }

  @Test func whereOnlyTheCountIsRefusedTheClassIsListedWithoutIt() throws {
    let bench = try StageBench()
    _ = try bench.createGames(5)
    try bench.server.withBackend { backend throws(LoopbackError) in
      try backend.setPermissions(of: "Game", ["find": ["*": true], "get": ["*": true]])
    }
    let report = try bench.run(Self.download, isMaster: false)
    #expect(report.notices.map(\.code) == [.countUnreliable])
    #expect(try staged(bench)?.end?.isCounted == false)
    #expect(try staged(bench)?.recordCount == 5)
    #expect(try bench.store.syncRead { try $0.state(.classState("Game")).isCountForbidden })
  }

  @Test(arguments: [#"{"results":[{"objectId":"a","#, "[]", #"{"results":7}"#])
  func anAnswerThatIsNoPageIsNotStaged(_ text: String) throws {
    let bench = try StageBench()
    _ = try bench.createGames(5)
    bench.server.setFault { request in
      request.path.hasSuffix("/Game")
        ? .respond(LoopbackResponse(status: 200, body: Array(text.utf8))) : nil
    }
    let report = try bench.run(Self.download)
    #expect(report.notices.map(\.code) == [.classFailed])
    #expect(try staged(bench) == nil)
    #expect(try staged(bench, "League")?.isComplete == true)
  }

  @Test func aCacheBetweenThatRepeatsItselfStopsTheClass() throws {
    let bench = try StageBench()
    _ = try bench.createGames(5)
    let page = #"{"count":9,"results":[{"objectId":"a","updatedAt":"2024-05-01T10:00:00.000Z"}]}"#
    bench.server.setFault { request in
      request.path.hasSuffix("/Game")
        ? .respond(LoopbackResponse(status: 200, body: Array(page.utf8))) : nil
    }
    let report = try bench.run(Self.download)
    #expect(report.notices.map(\.code) == [.classFailed])
    #expect(try staged(bench) == nil)
    #expect(paths(bench).count < 10)
  }

  @Test func whatNoClassIsRegisteredForIsDiscarded() throws {
    let bench = try StageBench()
    _ = try bench.createGames(5)
    try bench.run(Self.download)
    let area = try StagingArea(folder: bench.staging)
    _ = try area.begin(
      Listing(
        id: "x", className: "Player", fingerprint: "f", uploadSequence: 0, startedAt: .now))
    try bench.run(Self.download)
    #expect(try area.listings().map(\.className) == ["Game", "League"])
  }
}
