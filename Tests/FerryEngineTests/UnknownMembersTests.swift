// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryPlanning
import FerryStore
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

@testable import FerryEngine

/// Rows of relations that name no record, by the API.
@Suite(.timeLimit(.minutes(5))) struct UnknownMembersTests {
  typealias Squad = MembersTests.Squad

  /// The fields of a row; nil for no value.
  private static func pair(_ owner: String?, _ member: String?) -> Fields {
    func pointer(_ className: String, _ id: String?) -> Value {
      id.map { .pointer(Pointer(className: className, objectID: $0)) } ?? .null
    }
    return ["owner": pointer("Team", owner), "member": pointer("Player", member)]
  }

  @Test(
    arguments: TestServer.Kind.all,
    [nil, " ", "a/b", "..", "a\0b", "7", String(repeating: "x", count: 300), "nowhere"])
  func `a row that names no record is parked alone, with row and field`(
    on kind: TestServer.Kind, id: String?
  ) async throws {
    let squad = try Squad(kind)
    let device = try squad.device()
    try await device.sync()
    let (team, player) = (squad.team, squad.players[2])
    let rows = try await device.store.write { db in
      [
        try db.insert("Team_players", Self.pair(id, player)),
        try db.insert("Team_players", Self.pair(team, id)),
      ]
    }
    try await squad.add(1, on: device)
    try await squad.add(3, on: device)
    let report = try await device.sync()
    #expect(try squad.onServer() == ["p0", "p1", "p3"])
    let parked = report.notices.filter { $0.code == .parked }
    for (row, field) in zip(rows, ["owner", "member"]) {
      let message = try #require(parked.first { $0.localID == row.localID }?.message)
      #expect(message.contains("Row \(row.localID) of Team_players"))
      #expect(message.contains("its field \(field) "))
      #expect(message.count < 500)
    }
    #expect(parked.count == 2)
    // A retry asks once more, and a row without a retry is not asked about again.
    try await device.store.retryChanges(of: "Team_players")
    #expect(try await device.sync().notices.filter { $0.code == .parked }.count == 2)
    squad.world.network.forget()
    #expect(try await device.sync().notices.filter { $0.code == .parked }.isEmpty)
    #expect(!squad.world.network.exchanges.contains { $0.request.isWrite })
    for row in rows { try await device.store.write { try $0.delete(row) } }
    #expect(try await device.sync().outcome == .complete)
    #expect(try device.pending().isEmpty)
    #expect(try await squad.on(device) == ["p0", "p1", "p3"])
  }

  @Test func `the API refuses an empty id`() async throws {
    let squad = try Squad(.double)
    let device = try squad.device()
    await #expect(throws: StoreError.self) {
      try await device.store.write { db in
        try db.insert("Team_players", Self.pair("", "p"))
      }
    }
    #expect(try await device.store.read { try $0.count(of: "Team_players") } == 0)
  }

  @Test(arguments: TestServer.Kind.doubleOnly("the test chooses the record's id"))
  func `a row goes once a sync brings the record that it names`(
    on kind: TestServer.Kind
  ) async throws {
    let squad = try Squad(kind)
    let device = try squad.device()
    try await device.sync()
    let (team, later) = (squad.team, "lateplayer")
    try await device.store.write { db in
      try db.insert("Team_players", Self.pair(team, later))
    }
    #expect(try await device.sync().notices.map(\.code) == [.parked])
    _ = try squad.world.server.load("Player", [["objectId": .string(later), "name": "p9"]])
    #expect(try await device.sync().outcome == .complete)
    #expect(try squad.onServer() == ["p0", "p9"])
    #expect(try await squad.on(device) == ["p0", "p9"])
  }

  @Test(arguments: TestServer.Kind.all)
  func `a member of which the server alone has the record is sent`(
    on kind: TestServer.Kind
  ) async throws {
    let squad = try Squad(kind)
    let device = try squad.device()
    try await device.sync()
    let new = try squad.world.server.create("Player", ["name": "p9"])
    let team = squad.team
    try await device.store.write { db in
      try db.insert("Team_players", Self.pair(team, new))
    }
    #expect(try await device.sync(.only(.putUpdated)).notices.isEmpty)
    #expect(try squad.onServer() == ["p0", "p9"])
  }
}
