// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryTestSupport
import LoopbackParse
import Testing

@testable import FerryEngine

/// A mistyped class or field is noticed by what the first listing lacks.
@Suite(.timeLimit(.minutes(3))) struct ListingGapsTests {
  private static let gaps: Set<SyncNotice.Code> = [.classEmpty, .fieldsWithoutValues]

  private func schema(_ field: String) -> Schema {
    Schema {
      Entity("Game") {
        Field("title", .text); Field(field, .number)
      }
    }
  }

  private func gaps(_ report: SyncReport) -> [SyncNotice] {
    report.notices.filter { Self.gaps.contains($0.code) }
  }

  @Test(arguments: StageBench.Place.all)
  func `a field that no record of the first listing has is named once`(
    _ place: StageBench.Place
  ) throws {
    let bench = try StageBench(place, schema: schema("scoer"))
    try bench.server.create(
      "Game", (0..<30).map { ["title": .string("g\($0)"), "score": .number(Double($0))] })
    var options = SyncOptions()
    options.pageSize = 10
    let notice = try #require(gaps(try bench.pull(options: options)).first)
    #expect(notice.code == .fieldsWithoutValues && notice.className == "Game")
    #expect(notice.message.contains("the field scoer,"))
    try bench.server.create("Game", ["title": "later"])
    #expect(gaps(try bench.pull()).isEmpty)
  }

  @Test(arguments: StageBench.Place.all)
  func `a field that one record of many has is not named`(_ place: StageBench.Place) throws {
    let bench = try StageBench(place, schema: schema("score"))
    try bench.server.create("Game", ["title": "a", "score": 1])
    try bench.server.create("Game", (0..<25).map { ["title": .string("g\($0)")] })
    var options = SyncOptions()
    options.pageSize = 10
    #expect(gaps(try bench.pull(options: options)).isEmpty)
  }

  @Test(arguments: StageBench.Place.all)
  func `a field that is removed on the server is named at the next whole listing only`(
    _ place: StageBench.Place
  ) throws {
    let bench = try StageBench(place, schema: schema("score"))
    let stamp = LoopbackValue.date("2024-05-01T10:00:00.000Z")
    _ = try bench.server.load(
      "Game", [["title": "a", "score": 1, "createdAt": stamp, "updatedAt": stamp]])
    try bench.pull()
    try bench.server.removeField("score", of: "Game")
    // The removal changes no stamp, so no page of a sync shows the record again.
    let report = try bench.pull(comparing: .everything)
    #expect(gaps(report).isEmpty)
    #expect(try bench.games().values.map { $0["score"] } == [1])
    try bench.store.sync(.normal) {
      try $0.change(.classState("Game")) { $0.fingerprint = "other" }
    }
    let notice = try #require(gaps(try bench.pull()).first)
    #expect(notice.code == .fieldsWithoutValues)
    #expect(notice.message.contains("removed on the server"))
  }

  @Test(arguments: StageBench.Place.all)
  func `a relation without records is not named, because the app cannot edit it`(
    _ place: StageBench.Place
  ) throws {
    let schema = Schema {
      Entity("Game") {
        Field("title", .text); Field("players", .relation(to: "Player"))
      }
    }
    let bench = try StageBench(place, schema: schema)
    try bench.server.create("Game", ["title": "a"])
    #expect(gaps(try bench.pull()).isEmpty)
  }

  @Test(arguments: StageBench.Place.all)
  func `a class that the server does not know is named at its first listing`(
    _ place: StageBench.Place
  ) throws {
    let bench = try StageBench(
      place, schema: Schema { Entity("Gmae") { Field("title", .text) } })
    try bench.server.create("Game", ["title": "a"])
    let notices = gaps(try bench.pull())
    #expect(notices.map(\.code) == [.classEmpty])
    #expect(notices.first?.message.contains("no record of Gmae.") == true)
    #expect(gaps(try bench.pull()).isEmpty)
  }
}
