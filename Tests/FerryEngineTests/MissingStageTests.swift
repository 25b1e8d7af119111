// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryModel
import FerryStore
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

@testable import FerryEngine
@testable import FerryPlanning

@Suite(.timeLimit(.minutes(3))) struct MissingStageTests {
  @Test(arguments: StageBench.Place.all)
  func `a record deleted on the server is removed locally`(_ place: StageBench.Place) throws {
    let bench = try StageBench(place, .init(allowsCustomIDs: true))
    let ids = try bench.createGames(60)
    try bench.pull()
    let gone = try #require(try bench.game(ids[7]))
    try bench.delete("Game", [ids[7], ids[30]])
    let report = try bench.pull()
    #expect(report.classes["Game"]?.removed == 2)
    #expect(try bench.games().count == 58)
    let lost = try #require(try bench.conflicts().first { $0.record.objectID == ids[7] })
    #expect(lost.reason == .removed && lost.isWholeRecord && lost.lost == gone.fields)
    // If the record reappears, it has the same row.
    try bench.create("Game", ["objectId": .string(ids[7]), "title": "again"])
    try bench.pull()
    #expect(try bench.game(ids[7])?.localID == gone.localID)
  }

  @Test(arguments: TestServer.Kind.all)
  func `deletions are found when batches are broken`(on kind: TestServer.Kind) throws {
    var options = TestServerOptions()
    options.breaksBatches = true
    let bench = try StageBench(on: kind, options)
    let ids = try bench.createGames(40)
    try bench.pull()
    try bench.delete("Game", [ids[3]])
    try bench.pull()
    #expect(try bench.games().count == 39)
  }

  @Test(arguments: TestServer.Kind.doubleOnly("Six thousand rows take a real server seconds"))
  func `many deletions among many rows take few requests`(on kind: TestServer.Kind) throws {
    let bench = try StageBench(on: kind)
    let ids = try bench.createGames(6_000)
    try bench.pull()
    let gone = Set([5, 777, 778, 2_500, 5_999].map { ids[$0] })
    try bench.delete("Game", gone)
    bench.network.forget()
    let report = try bench.pull()
    #expect(report.classes["Game"]?.removed == 5)
    #expect(try Set(bench.games().keys) == Set(ids).subtracting(gone))
    // Six pages within the overlap, and the rest for the range comparison: one for each of four lists.
    #expect(bench.network.exchanges.count <= 7 + 9)
  }

  @Test(arguments: TestServer.Kind.all)
  func `the guard holds removals back until the app confirms exactly that set`(
    on kind: TestServer.Kind
  ) throws {
    let bench = try StageBench(.sqlite, on: kind)
    let ids = try bench.createGames(40)
    let league = try bench.create("League", ["name": "North"])
    try bench.pull()
    try bench.delete("Game", ids[..<25])
    try bench.delete("League", [league])
    let report = try bench.pull()
    let guarded = try #require(report.guarded.first)
    #expect(guarded.className == "Game" && guarded.count == 25 && guarded.total == 40)
    #expect(report.outcome == .partial)
    #expect(try bench.games().count == 40)
    // The other class continued; the guard does not hold back one of one.
    #expect(report.classes["League"]?.removed == 1)
    // The hold is reported again without another search.
    bench.network.forget()
    let second = try bench.pull()
    #expect(second.guarded == [guarded])
    #expect(bench.network.exchanges.count <= 3)
    try bench.pull(confirming: ["Game-local-25-0000000000000000"])
    #expect(try bench.games().count == 40)
    let third = try bench.pull(confirming: [guarded.confirmation])
    #expect(third.classes["Game"]?.removed == 25 && third.guarded.isEmpty)
    #expect(try Set(bench.games().keys) == Set(ids[25...]))
    // Removals count for the whole day.
    try bench.delete("Game", ids[25..<28])
    #expect(try bench.pull().guarded.map(\.count) == [3])
    bench.wait(.seconds(86_400))
    #expect(try bench.pull().classes["Game"]?.removed == 3)
  }

  @Test(arguments: TestServer.Kind.all)
  func `the guard releases held rows that reappear on the server`(on kind: TestServer.Kind) throws {
    let bench = try StageBench(on: kind, .init(allowsCustomIDs: true))
    let ids = try bench.createGames(6)
    try bench.pull()
    try bench.delete("Game", ids)
    #expect(try bench.pull().guarded.map(\.count) == [6])
    for id in ids {
      try bench.create("Game", ["objectId": .string(id), "title": "back", "score": 0])
    }
    #expect(try bench.pull().guarded.isEmpty)
    #expect(try bench.games().values.allSatisfy { $0["title"] == "back" })
    #expect(try bench.pull().guarded.isEmpty)
  }

  @Test(arguments: TestServer.Kind.all)
  func `the counts agree in spite of unsent local deletions`(on kind: TestServer.Kind) throws {
    let bench = try StageBench(.sqlite, on: kind)
    let ids = try bench.createGames(20)
    try bench.pull()
    let game = try #require(try bench.game(ids[4]))
    try bench.store.write { try $0.delete(game.reference) }
    bench.network.forget()
    let report = try bench.pull()
    #expect(bench.network.exchanges.count == 2)
    #expect(report.classes["Game"]?.imported == 0)
    #expect(try bench.games().count == 19)
  }

  @Test(arguments: TestServer.Kind.all)
  func `rows that a trigger hides are kept`(on kind: TestServer.Kind) throws {
    var options = TestServerOptions()
    options.cloudCode = .hidesNegativeGames
    let bench = try StageBench(on: kind, options)
    let ids = try bench.createGames(10)
    try bench.pull()
    #expect(try bench.games().count == 10)
    for id in ids[..<4] { try bench.update("Game", id, ["score": -1]) }
    var notices: [SyncNotice] = []
    for _ in 0..<4 { notices += try bench.pull().notices }
    #expect(try bench.games().count == 10)
    #expect(notices.contains { $0.code == .countUnreliable })
  }

  @Test(arguments: TestServer.Kind.all)
  func `all rows are listed when the server forbids counting`(on kind: TestServer.Kind) throws {
    let bench = try StageBench(on: kind)
    let ids = try bench.createGames(12)
    try bench.server.setPermissions(
      of: "Game", ["find": ["*": true], "get": ["*": true], "count": [:]])
    try bench.pull(isMaster: false)
    try bench.delete("Game", [ids[2]])
    let report = try bench.pull(isMaster: false)
    #expect(report.classes["Game"]?.removed == 1)
    #expect(try bench.games().count == 11)
  }

  @Test(arguments: TestServer.Kind.all)
  func `a full scan finds a deletion that no count shows`(on kind: TestServer.Kind) throws {
    let schema = Schema(
      Sports.schema.entities.map { $0.name == "Game" ? $0.deletions(.fullScan) : $0 })
    let bench = try StageBench(.sqlite, on: kind, schema: schema)
    let ids = try bench.createGames(30)
    try bench.pull()
    // One row was missed, one changed unseen, and one was deleted: the counts are equal.
    let missed = try #require(try bench.game(ids[1]))
    try bench.store.sync(.full) { transaction in
      try transaction.remove([missed.localID], from: "Game")
      guard var stale = try transaction.record(of: "Game", objectID: ids[2]),
        let entity = transaction.schema.entity("Game"), let createdAt = stale.createdAt
      else { return }
      stale.fields["title"] = "stale"
      try transaction.apply(
        [
          ImportRow(
            localID: stale.localID, objectID: stale.objectID, createdAt: createdAt,
            version: ServerVersion(rawValue: "2001-01-01T00:00:00.000Z"), acl: .null,
            values: entity.fields.map { stale[$0.name] })
        ], to: "Game")
    }
    try bench.delete("Game", [ids[9]])
    try bench.pull()
    let games = try bench.games()
    #expect(Set(games.keys) == Set(ids).subtracting([ids[9]]))
    #expect(games[ids[2]]?["title"] == "g2")
  }

  @Test(arguments: TestServer.Kind.all)
  func `an unsent edit of a deleted record is kept as a conflict`(on kind: TestServer.Kind) throws {
    let bench = try StageBench(.sqlite, on: kind)
    let ids = try bench.createGames(8)
    try bench.pull()
    try bench.edit(ids[0], ["title": "mine"])
    try bench.delete("Game", [ids[0]])
    try bench.sync()
    #expect(try bench.game(ids[0]) == nil)
    #expect(try bench.pending().isEmpty)
    let lost = try #require(try bench.conflicts().first { $0.record.objectID == ids[0] })
    #expect(lost.reason == .deletedRemotely && lost.lost["title"] == "mine")
    #expect(try bench.server.count(of: "Game") == 7)
  }

  @Test(arguments: StageBench.Place.all, [true, false])
  func `a local edit that wins over a remote delete creates the record again`(
    _ place: StageBench.Place, customIDs: Bool
  ) throws {
    let bench = try StageBench(place, .init(allowsCustomIDs: customIDs))
    let ids = try bench.createGames(8)
    let child = try bench.create(
      "Game",
      [
        "title": "child",
        "previous": ["__type": "Pointer", "className": "Game", "objectId": .string(ids[0])],
      ])
    let policies = ConflictPolicies.remoteWins.deletions(in: "Game", .editWins)
    // The store learns whether the server accepts minted ids.
    try bench.store.write { _ = try $0.insert("League", ["name": "North"]) }
    try bench.sync(conflicts: policies)
    let before = try #require(try bench.game(ids[0]))
    try bench.edit(ids[0], ["title": "mine"])
    try bench.delete("Game", [ids[0]])
    try bench.sync(conflicts: policies)
    try bench.sync(conflicts: policies)
    let row = try #require(
      try bench.store.read { try $0.record(of: "Game", localID: before.localID) })
    #expect(row["title"] == "mine" && row["score"] == 0)
    #expect((row.objectID == ids[0]) == customIDs)
    #expect(try bench.server.count(of: "Game") == 9)
    let there = try bench.server.row("Game", row.objectID)
    #expect(there?["title"]?.string == "mine" && there?["score"]?.number == 0)
    let pointer = try bench.server.row("Game", child)?["previous"]
    #expect(pointer?["objectId"]?.string == row.objectID)
    #expect(try bench.game(ids[0])?.localID == before.localID)
    #expect(try bench.pending().isEmpty)
    #expect(try bench.conflicts().contains { $0.record.objectID == ids[0] })
  }

  // MARK: - The second question

  @Test func `an absence check of 400 live rows ends under a low page limit`() {
    let all = (0..<400).map { "r\($0)" }
    var presence = AbsenceCheck(all, canary: "w", counts: true)
    var questions = 0
    var alive = Set(all + ["w"])
    while let query = presence.query, questions < 1_000 {
      questions += 1
      #expect(query.limit == alive.count)
      let shown = Array(alive.sorted().prefix(7))
      presence.take(shown: shown, count: alive.count)
      alive.subtract(shown)
    }
    #expect(presence.conclusion == .gone([]))
    #expect(questions < 100)
  }

  @Test func `a response without the canary proves nothing`() {
    var presence = AbsenceCheck(["a", "b"], canary: "w", counts: true)
    presence.take(shown: [], count: 0)
    #expect(presence.query == nil && presence.conclusion == .untrustworthy)
  }

  @Test func `a record that is counted but not shown is not gone`() {
    var presence = AbsenceCheck(["a", "b"], canary: "w", counts: true)
    presence.take(shown: ["w"], count: 2)
    #expect(presence.query?.limit == 2)
    presence.take(shown: [], count: 1)
    #expect(presence.query == nil && presence.conclusion == .hidden)
  }

  @Test func `a record that is neither shown nor counted is gone`() {
    var presence = AbsenceCheck(["a", "b"], canary: "w", counts: true)
    presence.take(shown: ["w", "a"], count: 2)
    #expect(presence.query == nil && presence.conclusion == .gone(["b"]))
  }
}
