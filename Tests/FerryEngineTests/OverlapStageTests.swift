// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryHTTP
import FerryModel
import FerryStore
import FerryTestSupport
import Foundation
import LoopbackParse
import Synchronization
import Testing

@testable import FerryEngine
@testable import FerryPlanning

/// A sync soon after many records were written compares versions instead of fetching all records again.
@Suite(.timeLimit(.minutes(5))) struct OverlapStageTests {
  private static let stages: [any Stage] = [DownloadStage(), ImportStage()]

  private static func options(pageSize: Int = 5) -> SyncOptions {
    var options = SyncOptions()
    options.pageSize = pageSize
    options.overlapComparison.leastRows = 10
    return options
  }

  /// A stamp before now, by the clock that both servers have.
  private static func stamp(_ secondsAgo: Double) -> LoopbackValue {
    let milliseconds = Int64(Date.now.timeIntervalSince1970 * 1000 - 1000 * secondsAgo)
    return .date(Timestamp(milliseconds: milliseconds).description)
  }

  private static func game(_ score: Int, secondsAgo: Double) -> [String: LoopbackValue] {
    let stamp = stamp(secondsAgo)
    return ["score": .number(Double(score)), "createdAt": stamp, "updatedAt": stamp]
  }

  /// Games that were written from 60 seconds ago to 30 seconds ago, and imported.
  private func pulled(
    _ bench: StageBench, _ count: Int = 60, _ options: SyncOptions = options()
  ) throws -> [String] {
    let ids = try bench.server.load(
      "Game",
      (0..<count).map { Self.game($0, secondsAgo: 60 - 30 * Double($0) / Double(count)) })
    try bench.run(Self.stages, options: options)
    try bench.expectAllLocal()
    bench.network.forget()
    return ids
  }

  @Test(arguments: StageBench.Place.all)
  func `unchanged records are compared and not fetched`(in place: StageBench.Place) throws {
    let bench = try StageBench(place)
    _ = try pulled(bench)
    let report = try bench.run(Self.stages, options: Self.options())
    #expect(bench.listedVersions > 0)
    // The rows within the margin of the newest one are fetched.
    let fetched = report.classes["Game"]?.unchanged ?? 0
    #expect(fetched > 0 && fetched < 20)
    try bench.expectAllLocal()
    bench.network.forget()
    try bench.run(Self.stages, options: Self.options())
    #expect(bench.listedVersions > 0, "the comparison counts what the next one can compare")
  }

  @Test(arguments: StageBench.Place.all)
  func `a record that is committed late arrives`(in place: StageBench.Place) throws {
    let bench = try StageBench(place)
    _ = try pulled(bench)
    let late = try bench.server.load("Game", [Self.game(-1, secondsAgo: 50)])
    try bench.run(Self.stages, options: Self.options())
    #expect(bench.listedVersions > 0)
    #expect(try bench.game(late[0])?["score"] == -1)
    try bench.expectAllLocal()
  }

  @Test(arguments: StageBench.Kind.allCases, [5, 2])
  func `late and backward stamps, new rows and deleted ones are found`(
    _ kind: StageBench.Kind, pageSize: Int
  ) throws {
    let options = Self.options(pageSize: pageSize)
    let bench = try StageBench(kind)
    let ids = try pulled(bench, 60, options)
    // Later within the overlap, earlier within it, and out of its middle to its end.
    for (place, secondsAgo) in [(3, 36.5), (40, 55.5), (20, 0.0)] {
      var row = Self.game(100 + place, secondsAgo: secondsAgo)
      row["objectId"] = .string(ids[place])
      _ = try bench.server.load("Game", [row])
    }
    _ = try bench.create("Game", ["score": 7])
    try bench.edit(ids[12], ["title": "mine"])
    // Without the search for missing records, which would import missed ones.
    try bench.run(Self.stages, options: options)
    #expect(bench.listedVersions > 0)
    try bench.expectAllLocal()
    try bench.delete("Game", [ids[11]])
    try bench.pull(options: options)
    try bench.expectAllLocal()
    #expect(try bench.game(ids[12])?["title"] == "mine")
  }

  @Test(arguments: StageBench.Kind.allCases)
  func `the later of two contents with one stamp arrives if the stamp is near the last listing`(
    _ kind: StageBench.Kind
  ) throws {
    let bench = try StageBench(kind)
    let ids = try pulled(bench)
    let rows = try bench.server.rows(of: "Game")
    for (place, score) in [(5, 100), (55, 200)] {
      var row = try #require(rows[ids[place]])
      row["score"] = .number(Double(score))
      _ = try bench.server.load("Game", [row])
    }
    try bench.run(Self.stages, options: Self.options())
    #expect(bench.listedVersions > 0)
    #expect(try bench.game(ids[55])?["score"] == 200)
    // The document says that this one is not found: its second write came over 30 seconds after its stamp.
    #expect(try bench.game(ids[5])?["score"] == 5)
  }

  @Test(arguments: TestServer.Kind.all)
  func `a comparison ends on a server that caps pages, and without batches`(
    on kind: TestServer.Kind
  ) throws {
    var serverOptions = TestServerOptions()
    serverOptions.maxLimit = 7
    serverOptions.breaksBatches = true
    let bench = try StageBench(on: kind, serverOptions)
    _ = try pulled(bench)
    _ = try bench.server.load("Game", (0..<9).map { Self.game(-$0, secondsAgo: 50.5) })
    try bench.run(Self.stages, options: Self.options())
    #expect(bench.listedVersions > 5)
    try bench.expectAllLocal()
  }

  @Test func `a comparison that was cut begins anew, and what it staged is not imported before`()
    throws
  {
    let bench = try StageBench(.sqlite)
    _ = try pulled(bench)
    let late = try bench.server.load("Game", [Self.game(-1, secondsAgo: 50)])
    // The record that differs comes, and nothing after it.
    bench.network.setFault { $0.isFullPage ? .requestLost : nil }
    #expect(throws: SyncError.self) {
      try bench.run([DownloadStage()], options: Self.options())
    }
    let cut = try #require(try bench.staged())
    #expect(cut.recordCount == 1 && !cut.isComplete && !cut.canContinue)
    bench.network.setFault(nil)
    bench.network.forget()
    try bench.run([DownloadStage()], options: Self.options())
    #expect(bench.listedVersions > 0)
    let whole = try #require(try bench.staged())
    #expect(whole.isComplete && whole.listing.id != cut.listing.id)
    try bench.run([ImportStage()], options: Self.options())
    #expect(try bench.game(late[0])?["score"] == -1)
    try bench.expectAllLocal()
  }

  @Test
  func `a listing that was cut behind its comparison resumes, and the next one begins before both`()
    throws
  {
    let options = Self.options(pageSize: 2)
    let bench = try StageBench(.sqlite)
    _ = try pulled(bench, 60, options)
    for number in 0..<6 { _ = try bench.create("Game", ["score": .number(Double(number))]) }
    let pages = Mutex(0)
    bench.network.setFault { request in
      guard request.isFullPage else { return nil }
      return pages.withLock {
        $0 += 1
        return $0 > 3 ? .requestLost : nil
      }
    }
    #expect(throws: SyncError.self) { try bench.run([DownloadStage()], options: options) }
    let cut = try #require(try bench.staged())
    #expect(cut.segments.map(\.comparesVersions) == [true, nil] && cut.canContinue)
    let first = try #require(cut.segments[0].serverTimeLowerBound)
    #expect(try #require(cut.segments[1].serverTimeLowerBound) <= first)
    bench.network.setFault(nil)
    try bench.run([DownloadStage()], options: options)
    #expect(try bench.staged()?.listing.id == cut.listing.id)
    try bench.run([ImportStage()], options: options)
    try bench.expectAllLocal()
  }

  @Test func `a plan compares, too, and changes nothing`() async throws {
    let world = try SyncWorld()
    let device = try world.device(options: Self.options())
    _ = try world.server.load(
      "Game", (0..<40).map { Self.game($0, secondsAgo: 60 - Double($0) / 2) })
    try await device.sync()
    let late = try world.server.load("Game", [Self.game(-1, secondsAgo: 50)])
    world.network.forget()
    let plan = try await device.coordinator.plan()
    #expect(plan.actions.map(\.objectID) == late)
    #expect(world.network.exchanges.contains { $0.request.listsVersions })
    #expect(try await device.store.read { try $0.record(of: "Game", objectID: late[0]) } == nil)
  }
}

extension HTTPRequest {
  private var text: String { String(decoding: body, as: UTF8.self) }
  private var isListing: Bool { text.contains(#""order":"updatedAt,objectId""#) }

  /// Whether it lists versions in the order of stamps.
  fileprivate var listsVersions: Bool { isListing && text.contains(#""keys":"objectId""#) }
  /// Whether it asks for a page of games as a whole.
  fileprivate var isFullPage: Bool {
    path.hasSuffix("/Game") && isListing && text.contains("score")
  }
}

extension StageBench {
  /// How many requests listed versions.
  fileprivate var listedVersions: Int { network.exchanges.count { $0.request.listsVersions } }
}
