// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryModel
import FerryTestSupport
import LoopbackParse
import Testing

@testable import FerryEngine

/// A relation's value follows from its type, so a row has it before the server has said so.
@Suite(.timeLimit(.minutes(3))) struct RelationTests {
  private static let schema = Schema {
    Entity("Club") {
      Field("name", .text)
      Field("members", .relation(to: "Person"))
    }
  }

  private func bench(_ place: StageBench.Place) throws -> StageBench {
    let bench = try StageBench(place, schema: Self.schema)
    try bench.server.declare("Person", [:])
    try bench.server.declare(
      "Club",
      ["name": ["type": "String"], "members": ["type": "Relation", "targetClass": "Person"]])
    return bench
  }

  @Test(arguments: StageBench.Place.all)
  func `a row that was just created is as the server shows it`(_ place: StageBench.Place) throws {
    let bench = try bench(place)
    let club = try bench.store.write { try $0.insert("Club", ["name": "North"]) }
    #expect(try bench.pending().map(\.changed) == [["name"]])
    try bench.sync()
    let report = try bench.pull(comparing: .everything)
    #expect(report.classes["Club"]?.updated == 0)
    let row = try bench.store.read { try $0.record(of: "Club", localID: club.localID) }
    #expect(row?["members"] == .relation(className: "Person"))
  }

  @Test(arguments: StageBench.Place.all)
  func `a relation that the server does not have yet makes no difference`(
    _ place: StageBench.Place
  ) throws {
    let bench = try StageBench(place, schema: Self.schema)
    let id = try bench.server.create("Club", ["name": "North"])
    try bench.pull()
    let club = try bench.store.write { try $0.insert("Club", ["name": "South"]) }
    try bench.sync()
    let report = try bench.pull(comparing: .everything)
    #expect(report.classes["Club"]?.updated == 0)
    let rows = try bench.store.read { try $0.records(of: "Club") }
    #expect(rows.count == 2 && rows.contains { $0.objectID == id })
    #expect(rows.contains { $0.localID == club.localID })
    #expect(rows.allSatisfy { $0["members"] == .relation(className: "Person") })
  }
}
