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

/// Classes that ask the function of Ferry's Cloud Code which of their records are gone.
@Suite(.timeLimit(.minutes(5))) struct AskedDeletionTests {
  static let schema = Schema(
    Sports.schema.entities.map { $0.name == "Game" ? $0.deletions(.cloudFunction) : $0 })
  static let function = "/functions/ferryRemoved"

  /// A bench with rows that were compared once.
  static func settled(
    _ place: StageBench.Place = .init(store: .memory, server: .double), rows: Int = 30,
    isMaster: Bool = true
  ) throws -> (bench: StageBench, ids: [String]) {
    var options = TestServerOptions(allowsCustomIDs: true)
    options.loggedClasses = ["Game"]
    let bench = try StageBench(place, schema: schema, options)
    let ids = try bench.createGames(rows)
    #expect(try bench.pull(isMaster: isMaster).functionNotices.isEmpty)
    #expect(bench.asked.isEmpty)
    bench.network.forget()
    return (bench, ids)
  }

  @Test(arguments: StageBench.Place.all)
  func `the function names what is deleted, and nothing is listed`(
    _ place: StageBench.Place
  ) throws {
    let (bench, ids) = try Self.settled(place)
    try bench.delete("Game", [ids[3], ids[4]])
    let report = try bench.pull()
    #expect(report.classes["Game"]?.removed == 2 && report.functionNotices.isEmpty)
    #expect(try Set(bench.games().keys) == Set(ids).subtracting([ids[3], ids[4]]))
    #expect(bench.asked == [Set(ids)])
    // The listings, the counts, the question, and one for the two records again.
    #expect(bench.network.exchanges.count == 4)
    bench.network.forget()
    try bench.pull()
    #expect(bench.asked.isEmpty && bench.network.exchanges.count <= 3)
  }

  @Test func `a large class is asked about where its counts differ`() throws {
    var configuration = LoopbackConfiguration()
    configuration.ferryModule = LoopbackFerryModule(classes: ["Game"])
    let double = try LoopbackServer(configuration)
    let begin = try #require(Timestamp("2026-01-01T00:00:00.000Z"))
    let rows = (0..<8_000).map { number -> LoopbackValue in
      let stamp = LoopbackValue.string(begin.adding(.seconds(number * 60)).description)
      return [
        "objectId": .string("g\(number)"), "title": "g", "score": 0, "createdAt": stamp,
        "updatedAt": stamp,
      ]
    }
    try double.withBackend { backend throws(LoopbackError) in
      try backend.load(["Game": .array(rows)])
    }
    let bench = try StageBench(
      .memory, schema: Self.schema, server: TestServer(double: double))
    try bench.pull()
    try bench.delete("Game", ["g6000"])
    let report = try bench.pull()
    #expect(report.classes["Game"]?.removed == 1 && report.functionNotices.isEmpty)
    #expect(try bench.games().count == 7_999 && bench.game("g6000") == nil)
    #expect(bench.asked.allSatisfy { $0.count <= 1_000 })
    #expect((1...RangeComparison.askedSize).contains(bench.asked.reduce(0) { $0 + $1.count }))
  }

  @Test(arguments: StageBench.Place.all)
  func `a class that may not be counted is asked about as a whole`(
    _ place: StageBench.Place
  ) throws {
    let (bench, ids) = try Self.settled(place, isMaster: false)
    try bench.server.setPermissions(
      of: "Game", ["find": ["*": true], "get": ["*": true], "count": [:]])
    try bench.pull(isMaster: false)
    bench.network.forget()
    try bench.delete("Game", [ids[2]])
    let report = try bench.pull(isMaster: false)
    #expect(report.classes["Game"]?.removed == 1 && report.functionNotices.isEmpty)
    #expect(bench.asked == [Set(ids)])
    #expect(try Set(bench.games().keys) == Set(ids).subtracting([ids[2]]))
  }

  /// Rows that wait for a confirmation stay where their records are there again.
  @Test func `a held row whose record returns is held no more`() throws {
    for isCounted in [true, false] {
      let (bench, ids) = try Self.settled(rows: 40, isMaster: false)
      if !isCounted {
        try bench.server.setPermissions(
          of: "Game",
          ["find": ["*": true], "get": ["*": true], "count": [:], "create": ["*": true]])
      }
      try bench.delete("Game", ids[..<30])
      let held = try bench.pull(isMaster: false)
      #expect(held.guarded.first?.count == 30, "\(isCounted)")
      try bench.create("Game", ["objectId": .string(ids[0]), "title": "back", "score": 0])
      try bench.pull(isMaster: false)
      let report = try bench.pull(isMaster: false)
      #expect(report.guarded.first?.count == 29, "\(isCounted)")
      let confirmation = try #require(report.guarded.first?.confirmation)
      let last = try bench.pull(confirming: [confirmation], isMaster: false)
      #expect(last.classes["Game"]?.removed == 29, "\(isCounted)")
      #expect(try Set(bench.games().keys) == Set([ids[0]] + ids[30...]), "\(isCounted)")
    }
  }

  @Test(arguments: StageBench.Place.all)
  func `without the Cloud Code a sync lists, and says so once a day`(
    _ place: StageBench.Place
  ) throws {
    let bench = try StageBench(place, schema: Self.schema)
    let ids = try bench.createGames(30)
    #expect(try bench.pull().functionNotices.isEmpty)
    try bench.delete("Game", [ids[3]])
    let report = try bench.pull()
    #expect(report.classes["Game"]?.removed == 1 && report.functionNotices.count == 1)
    #expect(
      report.functionNotices.first?.message.contains("does not have Ferry's Cloud Code") == true)
    bench.network.forget()
    try bench.delete("Game", [ids[4]])
    let second = try bench.pull()
    #expect(second.classes["Game"]?.removed == 1 && second.functionNotices.isEmpty)
    #expect(bench.asked.isEmpty)
    bench.wait(.seconds(86_401))
    try bench.delete("Game", [ids[5]])
    #expect(try bench.pull().functionNotices.count == 1)
    #expect(try bench.games().count == 27)
  }

  /// A server without the function gets one question about a large class, and not all of them.
  @Test func `a function that is not there is asked for once`() throws {
    let (bench, ids) = try Self.settled(rows: 4_500)
    try bench.delete("Game", [ids[3]])
    bench.network.setFault { [function = Self.function] request in
      request.path == function
        ? .answered(
          ForeignAnswers.text(400, #"{"code":141,"error":"Invalid function: \"ferryRemoved\""}"#))
        : nil
    }
    #expect(try bench.pull().classes["Game"]?.removed == 1)
    #expect(bench.asked.count == 1)
  }
}

extension SyncReport {
  /// The notices of a function for deletions that was of no use.
  var functionNotices: [SyncNotice] { notices.filter { $0.code == .deletionFunctionUnused } }
}

extension StageBench {
  /// The ids in each question to the function for deletions.
  var asked: [Set<String>] {
    network.exchanges.filter { $0.path == AskedDeletionTests.function }.map { exchange in
      guard let value = try? LoopbackValue(json: Array(exchange.request.body)),
        let ids = value["ids"]?.array
      else { return [] }
      return Set(ids.compactMap(\.string))
    }
  }
}
