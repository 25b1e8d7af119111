// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryModel
import FerryStore
import FerryTestSupport
import Foundation
import LoopbackParse
import Synchronization
import Testing

@testable import FerryEngine
@testable import FerryPlanning

@Suite(.timeLimit(.minutes(3))) struct ImportStageTests {
  @Test(arguments: StageBench.Place.all)
  func `all downloaded records are imported and stay`(_ place: StageBench.Place) throws {
    let bench = try StageBench(place)
    let ids = try bench.createGames(250)
    var options = SyncOptions()
    options.pageSize = 40
    let report = try bench.pull(options: options)
    #expect(report.classes["Game"]?.imported == 250)
    #expect(try Set(bench.games().keys) == Set(ids))
    #expect(try bench.games().values.allSatisfy { $0["score"] == 0 && $0.version != nil })
    #expect(try bench.pending().isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: bench.staging.path).isEmpty)
    let again = try bench.pull()
    #expect(again.classes["Game"]?.imported == 0 && again.classes["Game"]?.updated == 0)
    try bench.update("Game", ids[3], ["score": 7])
    let third = try bench.pull()
    #expect(third.classes["Game"]?.updated == 1)
    #expect(try bench.game(ids[3])?["score"] == 7)
  }

  @Test(arguments: StageBench.Place.all)
  func `edits of both sides to one record are merged by field`(_ place: StageBench.Place) throws {
    let bench = try StageBench(place)
    let id = try bench.create("Game", ["title": "a", "score": 1, "tags": ["x"]])
    try bench.pull()
    try bench.edit(id, ["title": "here", "score": 2])
    try bench.update("Game", id, ["score": 3, "tags": ["y"]])
    let report = try bench.sync()
    #expect(report.classes["Game"]?.merged == 1)
    #expect(report.classes["Game"]?.put == 1)
    let row = try #require(try bench.game(id))
    #expect(row["title"] == "here" && row["score"] == 3 && row["tags"] == ["y"])
    #expect(try bench.conflicts().map(\.lost) == [["score": 2]])
    let there = try bench.server.row("Game", id)
    #expect(there?["title"]?.string == "here" && there?["score"]?.number == 3)
    try bench.sync()
    #expect(try bench.pending().isEmpty)
    #expect(try bench.game(id)?["title"] == "here")
  }

  @Test(arguments: StageBench.Place.all)
  func `a create in doubt is matched by its key, on the server too`(
    _ place: StageBench.Place
  ) throws {
    let bench = try StageBench(place)
    let game = try bench.store.write { try $0.insert("Game", ["title": "a", "score": 1]) }
    try loseAnswerOfCreate(bench)
    try bench.edit(game.objectID, ["score": 2])
    // Only the pull, without the resolve stage.
    let report = try bench.run([DownloadStage(), ImportStage()])
    let id = try #require(try bench.server.rows(of: "Game").keys.first)
    #expect(report.classes["Game"]?.imported == 0)
    let games = try bench.games()
    #expect(games.count == 1 && games[id]?.localID == game.localID)
    #expect(games[id]?["score"] == 2)
    let entry = try #require(try bench.pending().first)
    #expect(entry.kind == .update && entry.changed == ["score"] && entry.objectID == id)
    #expect(try bench.conflicts().isEmpty)
    try bench.sync()
    #expect(try bench.server.count(of: "Game") == 1)
    #expect(try bench.server.row("Game", id)?["score"]?.number == 2)
  }

  /// Sends the only create, which arrives, and loses its answer.
  private func loseAnswerOfCreate(_ bench: StageBench) throws {
    try bench.store.sync(.full) { transaction in
      try transaction.change(.capabilities) { $0.allowsCustomIDs = false }
    }
    bench.network.setFault { $0.writes(.post) ? .answerLost : nil }
    _ = try? bench.run([PostCreatedStage()])
    bench.network.setFault(nil)
    try bench.store.sync(.full) { transaction in
      for var entry in try transaction.outbox(of: "Game") where entry.state == .sending {
        entry.recover()
        try transaction.put(entry)
      }
    }
  }

  @Test(arguments: StageBench.Place.all)
  func `a second record of one create is deleted`(_ place: StageBench.Place) throws {
    let bench = try StageBench(place)
    let game = try bench.store.write { try $0.insert("Game", ["title": "a"]) }
    try bench.store.sync(.full) { transaction in
      try transaction.change(.capabilities) { $0.allowsCustomIDs = false }
    }
    try bench.sync()
    let kept = try #require(try bench.server.rows(of: "Game").keys.first)
    // The first of two requests commits late, with the same key. Of two records of one millisecond,
    // the lower id would stay.
    Thread.sleep(forTimeInterval: 0.002)
    let double = try bench.create(
      "Game", ["title": "a", "ferryKey": .string(game.objectID)])
    try bench.sync()
    #expect(try bench.games().keys.sorted() == [kept])
    #expect(try bench.server.rows(of: "Game").keys.sorted() == [kept])
    #expect(try bench.conflicts().map(\.reason) == [.duplicateMerged])
    #expect(try bench.conflicts().first?.record.objectID == double)
    #expect(try bench.pending().isEmpty)
  }

  @Test(arguments: TestServer.Kind.all)
  func `pages are not imported twice`(on kind: TestServer.Kind) throws {
    let bench = try StageBench(.sqlite, on: kind)
    let ids = try bench.createGames(10)
    try bench.run([DownloadStage()])
    let copy = bench.staging.deletingLastPathComponent().appending(path: "copy")
    try FileManager.default.copyItem(at: bench.staging, to: copy)
    try bench.run([ImportStage()])
    try bench.edit(ids[0], ["title": "edited"])
    try bench.store.sync(.full) { transaction in
      // This has the effect of a sent and acknowledged edit: only the pages could bring the old
      // value back.
      try transaction.fold()
      for entry in try transaction.outbox(of: "Game") {
        try transaction.removeOutboxEntry(of: "Game", localID: entry.localID)
      }
    }
    // The process ended between the commit and the removal of the pages.
    try FileManager.default.removeItem(at: bench.staging)
    try FileManager.default.moveItem(at: copy, to: bench.staging)
    let report = try bench.run([ImportStage()])
    #expect(report.classes["Game"]?.updated == 0 && report.classes["Game"]?.unchanged == 0)
    #expect(try bench.game(ids[0])?["title"] == "edited")
    #expect(try StagingArea(folder: bench.staging).listing(of: "Game") == nil)
  }

  @Test(arguments: TestServer.Kind.all)
  func `pages older than this device's own changes are discarded`(on kind: TestServer.Kind) throws {
    let bench = try StageBench(.memory, on: kind)
    let ids = try bench.createGames(3)
    try bench.pull()
    try bench.update("Game", ids[2], ["score": 1])
    try bench.run([DownloadStage()])
    let gone = try #require(try bench.game(ids[1]))
    try bench.store.write { try $0.delete(gone.reference) }
    try bench.run([DeleteDeletedStage()])
    let report = try bench.run([ImportStage()])
    #expect(report.notices.map(\.code) == [.classFailed])
    #expect(try bench.games().count == 2)
    try bench.pull()
    #expect(try bench.games().count == 2)
  }

  @Test(arguments: TestServer.Kind.all)
  func `pages older than what another program has imported are discarded`(
    on kind: TestServer.Kind
  ) throws {
    let bench = try StageBench(.sqlite, on: kind)
    let ids = try bench.createGames(1)
    try bench.pull()
    try bench.update("Game", ids[0], ["score": 1])
    try bench.run([DownloadStage()])
    // The other program works on the same store, and has a staging folder of its own.
    let aside = bench.staging.deletingLastPathComponent().appending(path: "aside")
    try FileManager.default.moveItem(at: bench.staging, to: aside)
    try bench.update("Game", ids[0], ["score": 2])
    try bench.pull()
    try FileManager.default.removeItem(at: bench.staging)
    try FileManager.default.moveItem(at: aside, to: bench.staging)
    let game = try #require(try bench.game(ids[0]))
    try bench.store.write { try $0.update(game.reference, ["score": 1]) }
    let report = try bench.run([ImportStage()])
    #expect(report.notices.contains { $0.code == .classFailed && $0.className == "Game" })
    // The edit equals the older value, and is still to be sent.
    try bench.pull()
    #expect(
      try bench.store.syncRead { try $0.pendingEntries(of: "Game") }.map(\.changed) == [["score"]])
  }

  @Test(arguments: TestServer.Kind.all)
  func `a damaged page fails only its class`(on kind: TestServer.Kind) throws {
    let bench = try StageBench(.sqlite, on: kind)
    _ = try bench.createGames(5)
    try bench.create("League", ["name": "North"])
    try bench.run([DownloadStage()])
    let page = bench.staging.appending(path: "Game/page-000001.json")
    var bytes = try Data(contentsOf: page)
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: page)
    let report = try bench.run([ImportStage(), DeleteMissingStage()])
    #expect(report.notices.filter { $0.className == "Game" }.map(\.code) == [.classFailed])
    #expect(report.classes["League"]?.imported == 1)
    #expect(try bench.games().isEmpty)
    try bench.pull()
    #expect(try bench.games().count == 5)
  }

  @Test(arguments: TestServer.Kind.all)
  func `a poison record is quarantined, cured and removed`(on kind: TestServer.Kind) throws {
    let bench = try StageBench(.sqlite, on: kind)
    let ids = try bench.createGames(3)
    try bench.update("Game", ids[1], ["score": 1.5])
    let report = try bench.pull()
    #expect(report.classes["Game"]?.quarantined == 1)
    #expect(try bench.games().count == 2)
    let record = try #require(try bench.store.read { try $0.quarantine(of: "Game") }.first)
    #expect(record.objectID == ids[1] && record.reason.contains("score"))
    // The counts explain the difference, so no further search runs.
    bench.network.forget()
    let second = try bench.pull()
    #expect(second.classes["Game"]?.quarantined == 0)
    #expect(bench.network.exchanges.count == 2)
    try bench.update("Game", ids[1], ["score": 2])
    try bench.pull()
    #expect(try bench.game(ids[1])?["score"] == 2)
    #expect(try bench.store.read { try $0.quarantine(of: "Game") }.isEmpty)
    try bench.update("Game", ids[2], ["score": 2.5])
    try bench.pull()
    try bench.delete("Game", [ids[2]])
    try bench.pull()
    #expect(try bench.store.read { try $0.quarantine(of: "Game") }.isEmpty)
    #expect(try bench.games().count == 2)
  }

  @Test(arguments: TestServer.Kind.all)
  func `a new field reaches all rows without a conflict`(on kind: TestServer.Kind) throws {
    let folder = try TemporaryDirectory()
    let server = try TestServer(kind)
    let before = Schema { Entity("Game") { Field("title", .text) } }
    let after = Schema {
      Entity("Game") {
        Field("title", .text); Field("venue", .text)
      }
    }
    let old = try StageBench(in: folder, schema: before, server: server)
    let ids = try (0..<50).map {
      try old.create("Game", ["title": .string("g\($0)"), "venue": .string("v\($0)")])
    }
    try old.pull()
    // Pages of the old schema are staged when the new one begins.
    try old.update("Game", ids[3], ["title": "x"])
    try old.run([DownloadStage()])
    let new = try StageBench(in: folder, schema: after, server: server)
    try new.edit(ids[7], ["venue": "mine"])
    let early = try new.run([ImportStage()])
    #expect(early.notices.map(\.code) == [.classFailed])
    try new.sync()
    let games = try new.games()
    #expect(ids.indices.allSatisfy { $0 == 7 || games[ids[$0]]?["venue"] == .string("v\($0)") })
    #expect(games[ids[7]]?["venue"] == "mine" && games[ids[3]]?["title"] == "x")
    #expect(try new.conflicts().isEmpty)
    #expect(try server.row("Game", ids[7])?["venue"]?.string == "mine")
  }

  @Test(arguments: TestServer.Kind.doubleOnly("A clock that stands still"))
  func `the later of two contents with one time stamp arrives`(on _: TestServer.Kind) throws {
    let clock = Mutex(Date(timeIntervalSince1970: 1_800_000_000))
    var configuration = LoopbackConfiguration()
    configuration.now = { clock.withLock(\.self) }
    let bench = try StageBench(.sqlite, double: configuration)
    let id = try bench.create("Game", ["title": "a"])
    try bench.pull()
    try bench.update("Game", id, ["title": "b"])
    try bench.pull()
    #expect(try bench.game(id)?["title"] == "b")
  }
}
