// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryModel
import FerryStore
import FerryTestSupport
import LoopbackParse
import Testing

@testable import FerryEngine
@testable import FerryPlanning

/// An edit of an access list is sent and merged as an edit of a field is.
@Suite(.timeLimit(.minutes(3))) struct AccessListEditTests {
  private static let closed: AccessList = [.user("u1"): .readWrite]
  private static let shared: AccessList = [.user("u1"): .readWrite, .everyone: .read]
  private static let team: AccessList = [.role("team"): .readWrite]

  /// A record with a list on both sides.
  private func bench(_ place: StageBench.Place) throws -> (StageBench, id: String) {
    let bench = try StageBench(place, .init(allowsCustomIDs: true))
    let id = try bench.create(
      "Game", ["title": "private", "score": 0, "ACL": Self.wire(Self.closed)])
    try bench.sync()
    return (bench, id)
  }

  private static func wire(_ list: AccessList) -> LoopbackValue {
    .object(
      Dictionary(
        uniqueKeysWithValues: list.rights.map { party, rights in
          let key =
            switch party {
            case .everyone: "*"
            case .user(let id): id
            case .role(let name): "role:\(name)"
            }
          var allowed: [String: LoopbackValue] = [:]
          if rights.contains(.read) { allowed["read"] = true }
          if rights.contains(.write) { allowed["write"] = true }
          return (key, .object(allowed))
        }))
  }

  private func edit(_ bench: StageBench, _ id: String, _ list: AccessList, _ fields: Fields = [:])
    throws
  {
    try bench.store.write { db in
      let row = try #require(try db.record(of: "Game", objectID: id))
      try db.update(row.reference, fields, acl: list)
    }
  }

  private func expectAgreement(
    _ bench: StageBench, _ id: String, _ list: AccessList,
    location: SourceLocation = #_sourceLocation
  ) throws {
    #expect(try bench.server.row("Game", id)?["ACL"] == Self.wire(list), sourceLocation: location)
    #expect(try bench.game(id)?.acl == list.value, sourceLocation: location)
    #expect(try bench.pending().isEmpty, sourceLocation: location)
  }

  @Test(arguments: StageBench.Place.all)
  func `a new list goes to the server`(_ place: StageBench.Place) throws {
    let (bench, id) = try bench(place)
    try edit(bench, id, Self.shared)
    let report = try bench.sync()
    #expect(report.classes["Game"]?.put == 1)
    try expectAgreement(bench, id, Self.shared)
    try edit(bench, id, Self.team, ["score": 7])
    try bench.sync()
    try expectAgreement(bench, id, Self.team)
    #expect(try bench.server.row("Game", id)?["score"]?.number == 7)
    try edit(bench, id, .open)
    try bench.sync()
    try bench.sync()
    try expectAgreement(bench, id, .open)
    #expect(try bench.conflicts().isEmpty)
  }

  @Test(arguments: StageBench.Place.all)
  func `changes of different fields are both kept`(_ place: StageBench.Place) throws {
    let (bench, id) = try bench(place)
    try edit(bench, id, Self.shared)
    try bench.update("Game", id, ["score": 3])
    try bench.sync()
    try expectAgreement(bench, id, Self.shared)
    #expect(try bench.game(id)?["score"] == 3)
    #expect(try bench.conflicts().isEmpty)

    try bench.edit(id, ["score": 4])
    try bench.update("Game", id, ["ACL": Self.wire(Self.team)])
    try bench.sync()
    try expectAgreement(bench, id, Self.team)
    #expect(try bench.server.row("Game", id)?["score"]?.number == 4)
    #expect(try bench.conflicts().isEmpty)
  }

  @Test(arguments: StageBench.Place.all, [true, false])
  func `the policy of the class decides between two lists`(
    _ place: StageBench.Place, isLocal: Bool
  ) throws {
    let (bench, id) = try bench(place)
    try edit(bench, id, Self.shared)
    try bench.update("Game", id, ["ACL": Self.wire(Self.team)])
    let policies: ConflictPolicies =
      isLocal ? .remoteWins.except(for: "Game", .localWins) : .remoteWins
    try bench.sync(conflicts: policies)
    try bench.sync(conflicts: policies)
    try expectAgreement(bench, id, isLocal ? Self.shared : Self.team)
    let conflict = try #require(bench.conflicts().first)
    let (lost, kept) = isLocal ? (Self.team, Self.shared) : (Self.shared, Self.team)
    #expect(conflict.lost == [Fields.accessList: lost.value])
    #expect(conflict.kept == [Fields.accessList: kept.value])

    // The list that lost can be had back.
    try bench.store.write { _ = try $0.restore(conflict: #require(conflict.id)) }
    try bench.sync(conflicts: policies)
    try expectAgreement(bench, id, lost)
  }

  @Test(arguments: StageBench.Place.all)
  func `an undo of a delete brings no earlier list back`(_ place: StageBench.Place) throws {
    let (bench, id) = try bench(place)
    try bench.store.write { db in
      try db.delete(#require(try db.record(of: "Game", objectID: id)).reference)
    }
    try bench.update("Game", id, ["ACL": Self.wire(Self.team)])
    try bench.pull()
    try bench.store.undo()
    #expect(try bench.game(id)?.acl == Self.team.value)
    try bench.sync()
    try expectAgreement(bench, id, Self.team)
  }

  @Test(arguments: StageBench.Place.all)
  func `the same list on both sides is no conflict`(_ place: StageBench.Place) throws {
    let (bench, id) = try bench(place)
    try edit(bench, id, Self.shared)
    try bench.update("Game", id, ["ACL": Self.wire(Self.shared)])
    let report = try bench.sync()
    #expect(report.classes["Game"]?.put == 0)
    try expectAgreement(bench, id, Self.shared)
    #expect(try bench.conflicts().isEmpty)
  }

  @Test(arguments: StageBench.Place.all)
  func `a resolver is asked about a list, and a wrong answer is refused`(
    _ place: StageBench.Place
  ) throws {
    let answers: [(Value, AccessList)] = [(Self.shared.value, Self.shared), (["x": 1], Self.team)]
    for (answer, expected) in answers {
      let (bench, id) = try bench(place)
      try edit(bench, id, [.role("mine"): .readWrite])
      try bench.update("Game", id, ["ACL": Self.wire(Self.team)])
      let policies = ConflictPolicies.remoteWins.except(
        for: "Game", .resolvingFields { $0.field == Fields.accessList ? answer : $0.remote })
      try bench.sync(conflicts: policies)
      try expectAgreement(bench, id, expected)
    }
  }

  @Test(arguments: StageBench.Place.all)
  func `a list that is given just after the create is no conflict`(_ place: StageBench.Place) throws
  {
    let schema = Schema {
      Entity("Note") { Field("text", .text) }.access(.list(Self.closed))
    }
    let bench = try StageBench(place, schema: schema, .init(allowsCustomIDs: true))
    let note = try bench.store.write { try $0.insert("Note", ["text": "mine"]) }
    try bench.sync()
    let row = try #require(
      try bench.store.read { try $0.record(of: "Note", localID: note.localID) })
    #expect(row.acl == Self.closed.value)
    try bench.store.write { try $0.update(row.reference, [:], acl: Self.shared) }
    try bench.sync()
    #expect(try bench.server.row("Note", row.objectID)?["ACL"] == Self.wire(Self.shared))
    #expect(try bench.conflicts().isEmpty && bench.pending().isEmpty)
  }
}
