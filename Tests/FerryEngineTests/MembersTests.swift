// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryPlanning
import FerryStore
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

@testable import FerryEngine

/// Members of relations as rows of a table, in whole syncs.
@Suite(.timeLimit(.minutes(5))) struct MembersTests {
  static let schema = Schema {
    Entity("Team") {
      Field("name", .text)
      Field("players", .relation(to: "Player"))
    }
    Entity("Player") { Field("name", .text) }
    Entity(membersOf: "players", in: "Team", from: "Player")
  }

  /// A server with one team and players p0 to p4, of which p0 is a member.
  struct Squad {
    let world: SyncWorld
    let team: String
    let players: [String]

    init(_ kind: TestServer.Kind) throws {
      world = try SyncWorld(kind)
      players = try world.server.create("Player", (0..<5).map { ["name": .string("p\($0)")] })
      team = try world.server.create(
        "Team",
        [
          "name": "North",
          "players": ["__op": "AddRelation", "objects": [.pointer("Player", players[0])]],
        ])
    }

    func device(_ name: String = "a") throws -> Device {
      try world.device(name, schema: MembersTests.schema)
    }

    func change(_ operation: String, _ indexes: Int...) throws {
      let objects = indexes.map { LoopbackValue.pointer("Player", players[$0]) }
      try world.server.update(
        "Team", team, ["players": ["__op": .string(operation), "objects": .array(objects)]])
    }

    /// The names of the members that the server shows.
    func onServer(of id: String? = nil) throws -> [String] {
      let answer = try world.server.send(
        .post, "/classes/Player",
        [
          "_method": "GET", "order": "name",
          "where": ["$relatedTo": ["object": .pointer("Team", id ?? team), "key": "players"]],
        ])
      return answer["results"]?.array?.compactMap { $0["name"]?.string } ?? []
    }

    /// The names of the members that a device shows.
    func on(_ device: Device, of id: String? = nil) async throws -> [String] {
      let id = id ?? team
      return try await device.store.read { db in
        guard let row = try db.record(of: "Team", objectID: id) else { return [] }
        var query = try db.query(membersOf: row.reference, "players")
        query.order = [.ascending("name")]
        return try db.records(query).compactMap { row in
          if case .string(let name) = row["name"] { name } else { nil }
        }
      }
    }

    func add(_ index: Int, on device: Device) async throws {
      let (team, player) = (team, players[index])
      try await device.store.write { db in
        try db.add(
          try #require(try db.record(of: "Player", objectID: player)).reference, to: "players",
          of: try #require(try db.record(of: "Team", objectID: team)).reference)
      }
    }

    func remove(_ index: Int, on device: Device) async throws {
      let (team, player) = (team, players[index])
      try await device.store.write { db in
        try db.remove(
          try #require(try db.record(of: "Player", objectID: player)).reference,
          from: "players", of: try #require(try db.record(of: "Team", objectID: team)).reference)
      }
    }
  }

  @Test(arguments: TestServer.Kind.all)
  func `a new team with new members is sent in one sync, and nothing more in the next`(
    on kind: TestServer.Kind
  ) async throws {
    let squad = try Squad(kind)
    let device = try squad.device()
    let team = try await device.store.write { db in
      let team = try db.insert("Team", ["name": "South"])
      for name in ["x", "y"] {
        let player = try db.insert("Player", ["name": .string(name)])
        #expect(try db.add(player, to: "players", of: team))
        #expect(try !db.add(player, to: "players", of: team))
      }
      return team
    }
    #expect(try await device.sync().outcome == .complete)
    #expect(try device.pending().isEmpty)
    let id = try await device.store.read {
      try #require(try $0.record(of: "Team", localID: team.localID)).objectID
    }
    #expect(try squad.onServer(of: id) == ["x", "y"])
    for _ in 0..<2 {
      squad.world.network.forget()
      #expect(try await device.sync().outcome == .complete)
      #expect(!squad.world.network.exchanges.contains { $0.request.isWrite })
      #expect(try await squad.on(device, of: id) == ["x", "y"])
    }
    #expect(try await device.store.read { try $0.count(of: "Team_players") } == 3)
  }

  @Test(arguments: TestServer.Kind.all)
  func `members come and go with the changes of their owner`(
    on kind: TestServer.Kind
  ) async throws {
    let squad = try Squad(kind)
    let device = try squad.device()
    try await device.sync()
    #expect(try await squad.on(device) == ["p0"])
    try squad.change("AddRelation", 1, 2)
    try squad.change("RemoveRelation", 0)
    let report = try await device.sync()
    #expect(try await squad.on(device) == ["p1", "p2"])
    #expect(report.classes["Team_players"]?.imported == 2)
    #expect(report.classes["Team_players"]?.removed == 1)
    // Nothing of it is an edit.
    #expect(try device.pending().isEmpty)
  }

  @Test(arguments: TestServer.Kind.all)
  func `two devices that add different members keep both`(
    on kind: TestServer.Kind
  ) async throws {
    let squad = try Squad(kind)
    let (one, two) = (try squad.device("a"), try squad.device("b"))
    try await one.sync()
    try await two.sync()
    try await squad.add(1, on: one)
    try await squad.add(2, on: one)
    try await squad.add(2, on: two)
    try await squad.add(3, on: two)
    try await squad.remove(0, on: two)
    for device in [one, two, one, two] { try await device.sync() }
    #expect(try squad.onServer() == ["p1", "p2", "p3"])
    for device in [one, two] {
      #expect(try await squad.on(device) == ["p1", "p2", "p3"])
      #expect(try await device.store.read { try $0.count(of: "Team_players") } == 3)
      #expect(try device.pending().isEmpty)
    }
  }

  @Test(arguments: TestServer.Kind.all)
  func `an unsent removal wins over the server's list`(on kind: TestServer.Kind) async throws {
    let squad = try Squad(kind)
    let device = try squad.device()
    try await device.sync()
    try await squad.remove(0, on: device)
    try await squad.add(4, on: device)
    try squad.change("AddRelation", 1)
    try await device.sync(.through(.deleteMissing))
    #expect(try await squad.on(device) == ["p1", "p4"])
    #expect(try device.pending().count == 2)
    try await device.sync()
    #expect(try squad.onServer() == ["p1", "p4"])
    #expect(try device.pending().isEmpty)
  }

  @Test(arguments: TestServer.Kind.all)
  func `a change that is taken back before a sync sends nothing`(
    on kind: TestServer.Kind
  ) async throws {
    let squad = try Squad(kind)
    let device = try squad.device()
    try await device.sync()
    try await squad.remove(0, on: device)
    try await squad.add(0, on: device)
    try await squad.add(1, on: device)
    try await squad.remove(1, on: device)
    squad.world.network.forget()
    try await device.sync()
    #expect(!squad.world.network.exchanges.contains { $0.request.writes(.put) })
    #expect(try squad.onServer() == ["p0"])
    #expect(try await squad.on(device) == ["p0"])
    #expect(try device.pending().isEmpty)
    // And it can go once more.
    try await squad.remove(0, on: device)
    try await device.sync()
    #expect(try squad.onServer().isEmpty)
  }

  @Test(arguments: TestServer.Kind.all)
  func `lost answers leave the members that the app wants`(
    on kind: TestServer.Kind
  ) async throws {
    let squad = try Squad(kind)
    let device = try squad.device()
    try await device.sync()
    try await squad.add(1, on: device)
    try await squad.add(2, on: device)
    try await squad.remove(0, on: device)
    squad.world.network.setFault { $0.isWrite ? .answerLost : nil }
    _ = try? await device.sync()
    #expect(try device.pending().count > 0)
    squad.world.network.setFault(nil)
    try await device.sync()
    try await device.sync()
    #expect(try squad.onServer() == ["p1", "p2"])
    #expect(try await squad.on(device) == ["p1", "p2"])
    #expect(try device.pending().filter { $0.state != .confirming }.isEmpty)
    #expect(try await device.store.read { try $0.count(of: "Team_players") } == 2)
  }

  @Test(arguments: TestServer.Kind.all)
  func `an edit of the owner goes in the same sync as its members`(
    on kind: TestServer.Kind
  ) async throws {
    let squad = try Squad(kind)
    let device = try squad.device()
    try await device.sync()
    try await squad.add(1, on: device)
    try await squad.remove(0, on: device)
    let id = squad.team
    try await device.store.write { db in
      try db.update(try #require(try db.record(of: "Team", objectID: id)).reference, ["name": "N"])
    }
    #expect(try await device.sync().outcome == .complete)
    #expect(try device.pending().isEmpty)
    #expect(try squad.world.server.row("Team", id)?["name"] == "N")
    #expect(try squad.onServer() == ["p1"])
  }

  @Test(arguments: TestServer.Kind.all)
  func `a member of an owner that is gone is parked, with the reason`(
    on kind: TestServer.Kind
  ) async throws {
    let squad = try Squad(kind)
    let device = try squad.device()
    try await device.sync()
    try await squad.add(1, on: device)
    try await squad.remove(0, on: device)
    try squad.world.server.delete("Team", [squad.team])
    let report = try await device.sync(.only(.putUpdated))
    #expect(report.notices.contains { $0.code == .parked && $0.message.contains("owner") })
    try await device.sync()
    #expect(try device.pending().map(\.kind) == [.create])
    try await device.store.write { try $0.discardChanges(of: "Team_players") }
    #expect(try await device.sync().outcome == .complete)
    #expect(try await device.store.read { try $0.count(of: "Team_players") } == 0)
  }

  @Test(arguments: TestServer.Kind.all)
  func `many members of one owner go in batches`(on kind: TestServer.Kind) async throws {
    let squad = try Squad(kind)
    let device = try squad.device()
    try await device.sync()
    let id = squad.team
    try await device.store.write { db in
      let team = try #require(try db.record(of: "Team", objectID: id)).reference
      for number in 0..<120 {
        try db.add(
          try db.insert("Player", ["name": .string("q\(number)")]), to: "players", of: team)
      }
    }
    squad.world.network.forget()
    #expect(try await device.sync().outcome == .complete)
    #expect(squad.world.network.exchanges.count < 20)
    #expect(try device.pending().isEmpty)
    let other = try squad.device("b")
    try await other.sync()
    #expect(try await other.store.read { try $0.count(of: "Team_players") } == 121)
  }

  @Test(arguments: TestServer.Kind.all)
  func `members by plain SQL are sent as those of the API`(
    on kind: TestServer.Kind
  ) async throws {
    let squad = try Squad(kind)
    let device = try squad.device()
    try await device.sync()
    let (team, players) = (squad.team, squad.players)
    try await device.store.writeSQL { db in
      try db.execute(
        "INSERT INTO Team_players (owner, member) VALUES (?, ?)",
        [.string(team), .string(players[3])])
      try db.execute("DELETE FROM Team_players WHERE member = ?", [.string(players[0])])
    }
    try await device.sync()
    #expect(try squad.onServer() == ["p3"])
    try await device.sync()
    #expect(try await squad.on(device) == ["p3"])
  }

  @Test(arguments: TestServer.Kind.all)
  func `a second row of a member by SQL leaves, and the member stays`(
    on kind: TestServer.Kind
  ) async throws {
    let squad = try Squad(kind)
    let device = try squad.device()
    try await device.sync()
    for player in [0, 1, 1] {
      try await device.store.writeSQL { [squad] db in
        try db.execute(
          "INSERT INTO Team_players (owner, member) VALUES (?, ?)",
          [.string(squad.team), .string(squad.players[player])])
      }
    }
    try await device.sync()
    #expect(try device.pending().isEmpty)
    #expect(try await device.store.read { try $0.count(of: "Team_players") } == 2)
    #expect(try squad.onServer() == ["p0", "p1"])
    try await device.sync()
    #expect(try await squad.on(device) == ["p0", "p1"])
  }

  @Test(arguments: TestServer.Kind.all)
  func `a member's row that SQL changes waits alone, and other members come`(
    on kind: TestServer.Kind
  ) async throws {
    let squad = try Squad(kind)
    let device = try squad.device()
    try await device.sync()
    try await device.store.writeSQL { [squad] db in
      try db.execute("UPDATE Team_players SET member = ?", [.string(squad.players[1])])
    }
    try squad.change("AddRelation", 2)
    let report = try await device.sync()
    #expect(report.notices.map(\.code) == [.parked])
    #expect(try await squad.on(device) == ["p1", "p2"])
    let row = try #require(try device.pending().first)
    let isDiscarded = try await device.store.write { db in
      try db.discardChange(of: row.className, localID: row.localID)
    }
    #expect(isDiscarded)
    try await device.sync()
    #expect(try await squad.on(device) == ["p0", "p2"])
    #expect(try squad.onServer() == ["p0", "p2"])
  }

  @Test(arguments: TestServer.Kind.all)
  func `owners without a change are not asked about`(on kind: TestServer.Kind) async throws {
    let squad = try Squad(kind)
    let date: LoopbackValue = ["__type": "Date", "iso": "2024-05-06T07:08:09.000Z"]
    let teams = try squad.world.server.load(
      "Team",
      (0..<30).map { ["name": .string("t\($0)"), "createdAt": date, "updatedAt": date] })
    let device = try squad.device()
    func asked() async throws -> [String] {
      squad.world.network.forget()
      try await device.sync()
      return squad.world.network.exchanges.map { String(decoding: $0.request.body, as: UTF8.self) }
        .filter { $0.contains("relatedTo") }
    }
    let first = try await asked()
    // Two pages of each owner, and all owners in one request.
    #expect(first.count == 2 && teams.allSatisfy { first[0].contains($0) })
    let second = try await asked()
    // The squad's own team is new, so its pairs may still be on their way.
    #expect(second.allSatisfy { $0.contains(squad.team) })
    #expect(!teams.contains { id in second.contains { $0.contains(id) } })
    try squad.world.server.update(
      "Team", teams[7],
      ["players": ["__op": "AddRelation", "objects": [.pointer("Player", squad.players[2])]]])
    let third = try await asked()
    #expect(third.contains { $0.contains(teams[7]) })
    #expect(!third.contains { $0.contains(teams[8]) })
    #expect(try await squad.on(device, of: teams[7]) == ["p2"])
  }

  @Test func `wrong members are refused, and nothing is written`() async throws {
    let squad = try Squad(.double)
    let device = try squad.device()
    try await device.store.write { db in
      let team = try db.insert("Team", ["name": "a"])
      let player = try db.insert("Player", ["name": "b"])
      func code(_ member: RecordReference, _ field: String) -> StoreError.Code? {
        #expect(throws: StoreError.self) { try db.add(member, to: field, of: team) }?.code
      }
      #expect(code(team, "players") == .wrongType)
      #expect(code(player, "fans") == .unknownField)
      try db.delete(player)
      #expect(code(player, "players") == .noSuchRecord)
      #expect(try db.count(of: "Team_players") == 0)
    }
  }
}
