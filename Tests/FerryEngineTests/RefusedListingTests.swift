// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryHTTP
import FerryStore
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

@testable import FerryEngine
@testable import FerryPlanning

/// Listings that the server refuses, and answers that are no pages.
@Suite(.timeLimit(.minutes(5))) struct RefusedListingTests {
  @Test(arguments: TestServer.Kind.all)
  func `a class that the user may not list fails alone`(on kind: TestServer.Kind) throws {
    let bench = try StageBench(on: kind)
    _ = try bench.createGames(5)
    try bench.create("League", ["name": "North"])
    try bench.server.setPermissions(of: "League", ["find": [:], "get": [:], "count": [:]])
    let report = try bench.pull(isMaster: false)
    let failed = report.notices.filter { $0.code == .classFailed }
    #expect(failed.map(\.className) == ["League"])
    #expect(
      failed.first?.message.hasPrefix("League could not be downloaded. Its local rows") == true)
    try bench.expectAllLocal()
  }

  @Test(arguments: TestServer.Kind.all)
  func `a class for users only waits for a login`(on kind: TestServer.Kind) throws {
    let bench = try StageBench(on: kind)
    _ = try bench.createGames(5)
    let forUsersOnly: LoopbackValue = [
      "find": ["requiresAuthentication": true], "get": [:], "count": [:],
    ]
    try bench.server.setPermissions(of: "Game", forUsersOnly)
    let report = try bench.pull(isMaster: false)
    let notices = report.notices.filter { $0.code == .loginNeeded }
    #expect(notices.map(\.className) == ["Game"])
    #expect(report.outcome == .partial)

    try bench.server.setPermissions(of: "League", forUsersOnly)
    let error = #expect(throws: SyncError.self) { try bench.pull(isMaster: false) }
    #expect(error?.code == .loginNeeded)
    #expect(error?.message.contains("shows all classes only to users") == true)
  }

  @Test(arguments: TestServer.Kind.all)
  func `a class is listed without a count when the server refuses only the count`(
    on kind: TestServer.Kind
  ) throws {
    let bench = try StageBench(on: kind)
    _ = try bench.createGames(5)
    try bench.server.setPermissions(of: "Game", ["find": ["*": true], "get": ["*": true]])
    let report = try bench.run([DownloadStage()], isMaster: false)
    #expect(report.notices.map(\.code) == [.countUnreliable])
    #expect(try bench.staged()?.end?.isCounted == false)
    #expect(try bench.staged()?.recordCount == 5)
    #expect(try bench.store.syncRead { try $0.state(.classState("Game")).isCountForbidden })
  }

  @Test(
    arguments: TestServer.Kind.all, [#"{"results":[{"objectId":"a","#, "[]", #"{"results":7}"#])
  func `a response that is no page is not staged`(on kind: TestServer.Kind, text: String) throws {
    let bench = try StageBench(on: kind)
    _ = try bench.createGames(5)
    bench.network.setFault { request in
      request.path.hasSuffix("/Game")
        ? .answered(HTTPResponse(status: 200, body: Data(text.utf8))) : nil
    }
    let report = try bench.run([DownloadStage()])
    #expect(report.notices.map(\.code) == [.classFailed])
    #expect(try bench.staged() == nil)
    #expect(try bench.staged("League")?.isComplete == true)
  }

  @Test(arguments: TestServer.Kind.all)
  func `a proxy cache that repeats one page stops the class`(on kind: TestServer.Kind) throws {
    let bench = try StageBench(on: kind)
    _ = try bench.createGames(5)
    let page = #"{"count":9,"results":[{"objectId":"a","updatedAt":"2024-05-01T10:00:00.000Z"}]}"#
    bench.network.setFault { request in
      request.path.hasSuffix("/Game")
        ? .answered(HTTPResponse(status: 200, body: Data(page.utf8))) : nil
    }
    let report = try bench.run([DownloadStage()])
    #expect(report.notices.map(\.code) == [.classFailed])
    #expect(try bench.staged() == nil)
    #expect(bench.paths.count < 10)
  }

  @Test func `a record whose stamp is no text is set aside and its class goes on`() throws {
    let bench = try StageBench()
    let stamp = #""2024-05-01T10:00:00.000Z""#
    let page = #"""
      {"count":2,"results":[{"objectId":"a","createdAt":\#(stamp),"updatedAt":\#(stamp)},
      {"objectId":"b","createdAt":\#(stamp),"updatedAt":5}]}
      """#
    bench.network.setFault { request in
      request.path.hasSuffix("/Game")
        ? .answered(HTTPResponse(status: 200, body: Data(page.utf8))) : nil
    }
    let report = try bench.run([DownloadStage(), ImportStage()])
    let codes = report.notices.map(\.code)
    #expect(codes.contains(.quarantined) && !codes.contains(.classFailed))
    #expect(report.classes["Game"]?.imported == 1 && report.classes["Game"]?.quarantined == 1)
  }
}
