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

/// A listing without a count from the server ends at a limit that the app sets.
@Suite(.timeLimit(.minutes(5))) struct UncountedListingTests {
  @Test(arguments: StageBench.Kind.allCases)
  func `pages without an end and without a count stop at a limit`(
    _ kind: StageBench.Kind
  ) throws {
    let bench = try StageBench(kind)
    try bench.create("League", ["name": "North"])
    let last = Mutex(0)
    bench.network.setFault { request in
      guard request.path.hasSuffix("/Game") else { return nil }
      let rows = last.withLock { last in
        defer { last += 50 }
        return (last..<last + 50).map { number in
          let stamp = Timestamp(milliseconds: 1_700_000_000_000 + Int64(number))
          return #"{"objectId":"r\#(number)","createdAt":"\#(stamp)","updatedAt":"\#(stamp)"}"#
        }
      }
      let page = #"{"results":[\#(rows.joined(separator: ","))]}"#
      return .answered(HTTPResponse(status: 200, body: Data(page.utf8)))
    }
    var options = SyncOptions()
    options.uncountedLimit = 400
    let report = try bench.run([DownloadStage(), ImportStage()], options: options)
    let failed = report.notices.filter { $0.code == .classFailed }
    #expect(failed.map(\.className) == ["Game"])
    #expect(failed.first?.message.contains("Nothing of this download is kept.") == true)
    #expect(failed.first?.message.contains("gave 450, perhaps without an end") == true)
    #expect(try bench.staged() == nil)
    #expect(try bench.games().isEmpty)
    #expect(bench.paths.count { $0.hasSuffix("/Game") } == 10)
    #expect(report.classes["League"]?.imported == 1)
  }

  @Test(arguments: StageBench.Kind.allCases)
  func `a class as large as its local rows passes the limit without a count`(
    _ kind: StageBench.Kind
  ) throws {
    let bench = try StageBench(kind)
    let ids = try bench.createGames(30)
    try bench.pull(isMaster: false)
    try bench.server.setPermissions(
      of: "Game", ["find": ["*": true], "get": ["*": true], "update": ["*": true]])
    try bench.pull(isMaster: false)
    for id in ids { try bench.update("Game", id, ["score": 9]) }
    var options = SyncOptions()
    options.uncountedLimit = 5
    let report = try bench.run([DownloadStage(), ImportStage()], options: options, isMaster: false)
    #expect(report.notices.isEmpty)
    #expect(report.classes["Game"]?.updated == 30)
  }
}
