// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryModel
import FerryStore
import FerryTestSupport
import LoopbackParse
import Testing

@testable import FerryEngine
@testable import FerryPlanning

/// A record that Ferry creates a second time is as private as it was.
@Suite(.timeLimit(.minutes(3))) struct AccessListTests {
  static let list: LoopbackValue = ["role:admins": ["read": true, "write": true]]
  static let acl: Value = ["role:admins": ["read": true, "write": true]]
  static let policies = ConflictPolicies.remoteWins.deletions(in: "Game", .editWins)

  /// A private record that the store has and the server has deleted since, and two that stay.
  private func deleted(
    _ place: StageBench.Place, customIDs: Bool, edit: Fields = [:], list: LoopbackValue? = list
  ) throws -> (StageBench, Record) {
    let bench = try StageBench(place, .init(allowsCustomIDs: customIDs))
    _ = try bench.createGames(2)
    var fields: [String: LoopbackValue] = ["title": "private"]
    fields["ACL"] = list
    let id = try bench.create("Game", .object(fields))
    // The store learns whether the server accepts minted ids.
    try bench.store.write { _ = try $0.insert("League", ["name": "North"]) }
    try bench.sync(conflicts: Self.policies)
    let row = try #require(try bench.game(id))
    if !edit.isEmpty { try bench.edit(id, edit) }
    try bench.delete("Game", [id])
    return (bench, row)
  }

  private func record(titled title: String, on bench: StageBench) throws -> TestServer.Row? {
    try bench.server.rows(of: "Game").values.first { $0["title"]?.string == title }
  }

  @Test(arguments: StageBench.Place.all, [true, false])
  func `a private record that is created again stays private`(
    _ place: StageBench.Place, customIDs: Bool
  ) throws {
    let (bench, before) = try deleted(place, customIDs: customIDs, edit: ["title": "mine"])
    try bench.sync(conflicts: Self.policies)
    #expect(try record(titled: "mine", on: bench)?["ACL"] == Self.list)
    try bench.sync(conflicts: Self.policies)
    let row = try bench.store.read { try $0.record(of: "Game", localID: before.localID) }
    #expect(row?["title"] == "mine" && row?.acl == Self.acl)
    #expect(try bench.pending().isEmpty)
  }

  @Test(arguments: StageBench.Place.all, [true, false])
  func `a private record that is restored stays private`(
    _ place: StageBench.Place, customIDs: Bool
  ) throws {
    let (bench, before) = try deleted(place, customIDs: customIDs)
    try bench.sync()
    let conflict = try #require(try bench.conflicts().first)
    #expect(conflict.record == before.reference)
    let restored = try bench.store.write { try $0.restore(conflict: #require(conflict.id)) }
    let row = try bench.store.read { try $0.record(of: "Game", localID: restored.localID) }
    #expect(row?.acl == Self.acl && row?.createdAt == nil)
    try bench.sync()
    #expect(try record(titled: "private", on: bench)?["ACL"] == Self.list)
    try bench.sync()
    #expect(try bench.pending().isEmpty)
    let rows = try bench.games().values.filter { $0["title"] == "private" }
    #expect(rows.map(\.acl) == [Self.acl] && rows.map(\.localID) == [restored.localID])
  }

  @Test(arguments: StageBench.Place.all, [true, false])
  func `a private row that the app replaces before it is sent stays private`(
    _ place: StageBench.Place, customIDs: Bool
  ) throws {
    let (bench, _) = try deleted(place, customIDs: customIDs)
    try bench.sync()
    let conflict = try #require(try bench.conflicts().first?.id)
    try bench.store.write { db in
      let restored = try db.restore(conflict: conflict)
      try db.delete(restored)
      try db.insert("Game", ["title": "replaced"], objectID: restored.objectID)
    }
    try bench.sync()
    #expect(try record(titled: "replaced", on: bench)?["ACL"] == Self.list)
    try bench.sync()
    #expect(try bench.pending().isEmpty)
    #expect(try bench.games().values.first { $0["title"] == "replaced" }?.acl == Self.acl)
  }

  @Test(arguments: StageBench.Place.all)
  func `a create without an access list leaves it to the server`(_ place: StageBench.Place) throws {
    let (bench, _) = try deleted(place, customIDs: true, edit: ["title": "mine"], list: nil)
    try bench.store.write { _ = try $0.insert("Game", ["title": "new"]) }
    try bench.sync(conflicts: Self.policies)
    for title in ["mine", "new"] {
      let record = try #require(try record(titled: title, on: bench))
      #expect(record["ACL"] == nil)
    }
  }
}
