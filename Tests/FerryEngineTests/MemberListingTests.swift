// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryHTTP
import FerryPlanning
import FerryStore
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

@testable import FerryEngine

/// Lists of members that are short, refused or wanted alone.
@Suite(.timeLimit(.minutes(5))) struct MemberListingTests {
  typealias Squad = MembersTests.Squad

  @Test(arguments: TestServer.Kind.all)
  func `a sync for members alone asks for their owners`(on kind: TestServer.Kind) async throws {
    let squad = try Squad(kind)
    let date: LoopbackValue = ["__type": "Date", "iso": "2024-05-06T07:08:09.000Z"]
    let old = try squad.world.server.load(
      "Team", [["name": "old", "createdAt": date, "updatedAt": date]])[0]
    let device = try squad.device()
    try await device.sync()
    try squad.world.server.update(
      "Team", old,
      ["players": ["__op": "AddRelation", "objects": [.pointer("Player", squad.players[1])]]])
    let report = try await device.coordinator.startSync(classes: ["Team_players"]).report
    #expect(report.classes["Team_players"]?.imported == 1)
    #expect(try await squad.on(device, of: old) == ["p1"])
  }

  @Test func `a server that refuses the members of one owner keeps no others away`() async throws {
    let squad = try Squad(.double)
    let other = try squad.world.server.create(
      "Team",
      [
        "name": "South",
        "players": ["__op": "AddRelation", "objects": [.pointer("Player", squad.players[1])]],
      ])
    let device = try squad.device()
    let team = squad.team
    squad.world.network.setFault { request in
      let body = String(decoding: request.body, as: UTF8.self)
      guard body.contains("relatedTo"), body.contains(team) else { return nil }
      let refusal = #"{"error":{"code":1,"error":"no"}}"#
      let page = #"{"success":{"results":[]}}"#
      let first = body.range(of: team).map {
        $0.lowerBound < (body.range(of: other)?.lowerBound ?? $0.upperBound)
      }
      let items =
        !body.contains(other) ? [refusal] : first == true ? [refusal, page] : [page, refusal]
      return .answered(
        HTTPResponse(
          status: 200, headers: ["Content-Type": "application/json"],
          body: Data("[\(items.joined(separator: ","))]".utf8)))
    }
    let report = try await device.sync()
    let notice = try #require(report.notices.first { $0.code == .classFailed })
    #expect(notice.className == "Team_players" && notice.message.contains(team))
    squad.world.network.setFault(nil)
    #expect(try await device.sync().outcome == .complete)
    #expect(try await squad.on(device) == ["p0"])
    #expect(try await squad.on(device, of: other) == ["p1"])
  }

  @Test func `an owner that may not be asked for its members keeps the rows`() async throws {
    let squad = try Squad(.double)
    let device = try squad.world.device(
      schema: MembersTests.schema, as: squad.world.server.known(asMaster: false))
    try await device.sync()
    try squad.world.server.setPermissions(
      of: "Team", ["get": [:], "find": ["*": true], "count": ["*": true], "update": ["*": true]])
    for _ in 0..<2 {
      let report = try await device.coordinator.startSync(comparing: .everything).report
      #expect(report.notices.isEmpty)
      #expect(try await squad.on(device) == ["p0"])
    }
    try squad.world.server.setPermissions(
      of: "Team",
      ["get": ["*": true], "find": ["*": true], "count": ["*": true], "update": ["*": true]])
    try squad.change("RemoveRelation", 0)
    try await device.sync()
    #expect(try await squad.on(device).isEmpty)
  }

  @Test func `the marks of owners are written once for each note`() throws {
    let store = try InMemoryStore(schema: MembersTests.schema)
    let owners = (1...500).map { number in
      StoredVersion(
        localID: LocalID(rawValue: Int64(number)), objectID: "t\(number)",
        createdAt: Timestamp(milliseconds: 0),
        version: ServerVersion(rawValue: "2026-01-01T00:00:00.000Z"))
    }
    let now = try #require(Timestamp("2026-01-02T00:00:00.000Z"))
    try store.sync(.normal) { transaction throws(StoreError) in
      var marks = try MemberMarks(of: "Team_players", in: transaction)
      for owner in owners {
        #expect(marks.isDue(owner))
        marks.note(
          owner, hidden: owner.localID.rawValue == 7 ? ["p 1", "p2"] : [], listedAt: now,
          delay: .seconds(120), isComplete: owner.localID.rawValue != 9)
      }
      try marks.write(in: transaction, besides: owners[0])
      #expect(marks.isChanged)
      try marks.write(in: transaction)
      #expect(!marks.isChanged)
      marks = try MemberMarks(of: "Team_players", in: transaction)
      #expect(marks.owners.count == 500)
      #expect(owners.filter { marks.isDue($0) }.map(\.objectID) == ["t9"])
      #expect(marks.hidden(of: "t7") == ["p 1", "p2"])
      marks.forget("t7")
      #expect(marks.hidden(of: "t7").isEmpty && marks.isDue(owners[6]))
    }
  }
}
