// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryHTTP
import FerryTestSupport
import Foundation
import LoopbackParse
import Synchronization
import Testing

@testable import FerryEngine

/// Pages are imported while their download goes on.
@Suite(.timeLimit(.minutes(3))) struct ImportAheadTests {
  /// Where the pages are imported, and on which store and server.
  struct Course: Sendable, CustomTestStringConvertible {
    var place: StageBench.Place
    var importing: DownloadStage.Importing

    static let all = StageBench.Place.all.flatMap { place in
      [DownloadStage.Importing.onThreadOfItsOwn, .inLine].map {
        Course(place: place, importing: $0)
      }
    }
    var testDescription: String { "\(place.testDescription), \(importing)" }
    var download: DownloadStage { DownloadStage(importing: importing) }
  }

  private static var options: SyncOptions {
    var options = SyncOptions()
    options.pageSize = 7
    // At most a quarter of them must be there.
    options.rowsPerImport = 40
    return options
  }

  /// Creates games with a stamp each, so that pages follow one another without repetitions.
  private func createGames(_ bench: StageBench) throws -> [String] {
    try bench.server.load(
      "Game",
      (0..<50).map { number in
        let stamp = LoopbackValue.date(
          Timestamp(milliseconds: 1_700_000_000_000 + Int64(number) * 1000).description)
        return ["title": .string("g\(number)"), "createdAt": stamp, "updatedAt": stamp]
      })
  }

  @Test(arguments: Course.all)
  func `a small class can be used while a large one arrives`(_ course: Course) throws {
    let bench = try StageBench(course.place)
    _ = try createGames(bench)
    try bench.server.create("League", [["name": "North"]])
    let leagues = Mutex<[Int]>([])
    atEachPage(of: bench) { bench, number in
      // The import has a thread of its own.
      if number == 5 { Thread.sleep(forTimeInterval: 0.2) }
      let count = try bench.store.read { try $0.count(of: "League") }
      leagues.withLock { $0.append(count) }
      return nil
    }
    let report = try bench.run(
      [course.download, ImportStage()], options: Self.options)
    #expect(leagues.withLock { $0.first == 0 && $0.last == 1 })
    #expect(report.classes["League"]?.imported == 1 && report.classes["Game"]?.imported == 50)
    #expect(try bench.store.inspect { try $0.syncState(of: "League") }.isInitialSyncDone)
    #expect(try bench.run([course.download, ImportStage()]).classes["League"]?.imported == 0)
  }

  @Test func `classes of a higher priority come first`() throws {
    let schema = Schema(
      (1...9).map { number in Entity("Class\(number)") { Field("title", .text) } })
    let bench = try StageBench(.sqlite, schema: schema, server: TestServer(.double))
    for entity in schema.entities { _ = try bench.server.create(entity.name, [["title": "a"]]) }
    let asked = Mutex<[String]>([])
    bench.network.setFault { request in
      asked.withLock { $0.append(String(request.path.split(separator: "/").last ?? "")) }
      return nil
    }
    var options = SyncOptions()
    options.priorities = ["Class8": 2, "Class7": 1, "Class1": -1]
    try bench.run([DownloadStage(), ImportStage()], options: options)
    #expect(
      asked.withLock { $0.prefix(9) }
        == [
          "Class8", "Class7", "Class2", "Class3", "Class4", "Class5", "Class6", "Class9", "Class1",
        ]
    )
  }

  /// Calls the closure before a page of games is asked for, with the bench and the number of those before.
  ///
  /// A closure that kept the bench would keep its server to the end of all tests.
  private func atEachPage(
    of bench: StageBench,
    _ act: @escaping @Sendable (_ bench: StageBench, Int) throws -> TestNetwork.Fault?
  ) {
    let pages = Mutex(0)
    bench.network.setFault { [unowned bench] request in
      guard request.path.hasSuffix("/Game") else { return nil }
      let number = pages.withLock { pages in
        defer { pages += 1 }
        return pages
      }
      do {
        return try act(bench, number)
      } catch {
        Issue.record(error)
        return nil
      }
    }
  }

  @Test(arguments: Course.all)
  func `most rows are imported before the listing ends`(_ course: Course) throws {
    let bench = try StageBench(course.place)
    let ids = try createGames(bench)
    let report = try bench.run([course.download], options: Self.options)
    // Seven full pages come before the last one. Towards the end, each page is imported as soon as it is there.
    let count = try bench.games().count
    #expect(count == 49 || count == 42 && course.importing == .onThreadOfItsOwn)
    #expect(report.classes["Game"]?.imported == count)
    let pages = try FileManager.default.contentsOfDirectory(
      atPath: bench.staging.appending(path: "Game").path)
    #expect(pages.count { $0.hasPrefix("page-") } == 8 - count / 7)
    let rest = try bench.run([ImportStage()], options: Self.options)
    #expect(rest.classes["Game"]?.imported == 50 - count)
    #expect(try Set(bench.games().keys) == Set(ids))
    #expect(try bench.staged() == nil)
    let again = try bench.pull()
    #expect(again.classes["Game"]?.imported == 0 && again.classes["Game"]?.updated == 0)
  }

  @Test(arguments: Course.all)
  func `the import begins with the first page`(_ course: Course) throws {
    let bench = try StageBench(course.place)
    _ = try createGames(bench)
    let counts = Mutex<[Int]>([])
    atEachPage(of: bench) { bench, number in
      // The first page is there when the third request comes: the second asks for no page.
      guard number == 2 else { return nil }
      let start = ContinuousClock.now
      while try bench.games().isEmpty, .now - start < .seconds(20) { usleep(1000) }
      let count = try bench.games().count
      counts.withLock { $0.append(count) }
      return nil
    }
    try bench.run([course.download, ImportStage()], options: Self.options)
    #expect(counts.withLock(\.self) == [7])
    #expect(try bench.games().count == 50)
  }

  @Test(arguments: Course.all)
  func `an edit of a row that came while the listing goes on is kept and sent`(
    _ course: Course
  ) throws {
    let bench = try StageBench(course.place)
    let ids = try createGames(bench)
    let edited = Mutex<String?>(nil)
    atEachPage(of: bench) { bench, number in
      guard number > 2, edited.withLock(\.self) == nil,
        let id = try bench.games().keys.min()
      else { return nil }
      try bench.edit(id, ["title": "edited"])
      edited.withLock { $0 = id }
      return nil
    }
    try bench.run([course.download, ImportStage()], options: Self.options)
    bench.network.setFault(nil)
    // On a thread of its own, the import may be later than all pages.
    let id = try edited.withLock(\.self) ?? #require(ids.first)
    if edited.withLock(\.self) == nil { try bench.edit(id, ["title": "edited"]) }
    #expect(try bench.games().count == 50 && bench.game(id)?["title"] == "edited")
    try bench.sync()
    #expect(try bench.server.row("Game", id)?["title"]?.string == "edited")
    #expect(try bench.pending().isEmpty && bench.conflicts().isEmpty)
  }

  @Test(arguments: Course.all)
  func `a listing that turns out to be of no use loses nothing that was imported`(
    _ course: Course
  ) throws {
    let bench = try StageBench(course.place)
    let ids = try createGames(bench)
    let stale =
      #"{"count":50,"results":[{"objectId":"a","updatedAt":"2020-05-01T10:00:00.000Z"}]}"#
    atEachPage(of: bench) { _, number in
      number < 5 ? nil : .answered(HTTPResponse(status: 200, body: Data(stale.utf8)))
    }
    let report = try bench.run([course.download, ImportStage()], options: Self.options)
    #expect(report.notices.map(\.code).contains(.classFailed))
    // The listing may have ended before the import of what had come.
    #expect(try [0, 7, 14, 21, 28].contains(bench.games().count))
    #expect(try bench.staged() == nil)
    bench.network.setFault(nil)
    try bench.sync()
    #expect(try Set(bench.games().keys) == Set(ids))
    #expect(try bench.pending().isEmpty && bench.conflicts().isEmpty)
  }

  @Test(arguments: Course.all)
  func `a damaged page is left to the import stage`(_ course: Course) throws {
    let bench = try StageBench(course.place)
    let ids = try createGames(bench)
    atEachPage(of: bench) { bench, number in
      // The second request asks for no page. Two pages are imported; then the third waits for the fourth.
      let start = ContinuousClock.now
      while number == 3, try bench.games().count < 14, .now - start < .seconds(20) { usleep(1000) }
      guard number == 4 else { return nil }
      let file = bench.staging.appending(path: "Game/page-000003.json")
      if let bytes = try? Data(contentsOf: file) {
        try Data(bytes.reversed()).write(to: file)
      }
      return nil
    }
    var options = Self.options
    options.rowsPerImport = 60
    let report = try bench.run([course.download, ImportStage()], options: options)
    let failed = report.notices.first { $0.code == .classFailed }
    #expect(failed?.message.contains("cannot be read") == true)
    #expect(try bench.games().count == 14)
    bench.network.setFault(nil)
    try bench.sync()
    #expect(try Set(bench.games().keys) == Set(ids))
  }

  @Test(arguments: Course.all)
  func `nothing is imported of a listing that the server does not count`(_ course: Course) throws {
    let bench = try StageBench(course.place)
    _ = try createGames(bench)
    try bench.server.setPermissions(of: "Game", ["find": ["*": true], "get": ["*": true]])
    try bench.run([course.download], options: Self.options, isMaster: false)
    #expect(try bench.games().isEmpty)
    try bench.run([ImportStage()], options: Self.options, isMaster: false)
    #expect(try bench.games().count == 50)
  }
}
