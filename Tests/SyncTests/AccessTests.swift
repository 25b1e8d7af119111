// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryPlanning
import FerryTestSupport
import LoopbackParse
import Testing

extension SyncTests {
  /// A class that ordinary clients may not read.
  ///
  /// The other classes sync, and so do new rows of this class. Its edits wait until the class is
  /// readable.
  @Test(arguments: TestServer.Kind.all)
  func `a class that may not be read holds no other up`(on kind: TestServer.Kind) async throws {
    let variant = ServerVariant("no reading of teams", isMaster: false) {
      $0.permissions["Team"] = ["create": ["*": true], "update": ["*": true]]
    }
    let world = try LeagueWorld(kind, variant)
    try world.seed(leagues: 2, teams: 3, games: 20)
    let device = try world.device()
    let first = try await device.sync()
    #expect(first.outcome == .partial)
    let failed = first.notices.filter { $0.code == .classFailed }
    #expect(Set(failed.map(\.className)) == ["Team"])
    try world.expectEqual(device, classes: ["League", "Game"])

    try await device.store.write { db in
      let team = try db.insert("Team", ["name": "unseen"])
      try db.insert("Game", ["title": "child", "home": .pointer(team)])
      try db.insert("Game", ["title": "new"])
    }
    try device.edit("Game", "Game 1", ["score": 3])
    try device.delete("Game", "Game 2")
    let second = try await device.sync()
    let counts = try #require(second.classes["Game"])
    #expect(counts.created == 2 && counts.put == 1 && counts.deleted == 1)
    #expect(try device.pending().isEmpty)
    #expect(try world.server.count(of: "Team") == 4)
    try device.edit("Team", "unseen", ["name": "seen"])
    _ = try await device.sync()
    #expect(try device.pending().map(\.className) == ["Team"])

    let anyone: LoopbackValue = ["*": true]
    try world.server.setPermissions(
      of: "Team", ["find": anyone, "get": anyone, "create": anyone, "update": anyone])
    try await world.resolve(device)
    let team = try device.record("Team", "seen")
    #expect(try device.record("Game", "child")["home"] == .pointer(team.reference))
  }

  /// Rows are hidden from a user, become read-only, and return: no edit is lost.
  @Test(arguments: TestServer.Kind.all, [true, false])
  func `rows change hands`(on kind: TestServer.Kind, allowsCustomIDs: Bool) async throws {
    let world = try LeagueWorld(kind, allowsCustomIDs ? ServerVariant() : .serversIDs)
    let anna = try TestUser(signingUp: "anna", at: world.server)
    let mine: TestServer.Row = ["ACL": anna.own]
    let ids = try world.server.create(
      "League",
      (0..<30).map { number in
        mine.merging(["name": .string("league \(number)"), "level": 0]) { own, _ in own }
      })
    let device = try world.device(as: anna.server)
    _ = try await device.sync()
    #expect(try device.leagues().count == 30)
    let before = try device.record("League", "league 0")

    // Two rows are hidden, one of them with an unsent edit; a third becomes read-only, also with an
    // unsent edit.
    for number in [0, 1] { try world.server.update("League", ids[number], ["ACL": [:]]) }
    try world.server.update("League", ids[2], ["ACL": [anna.objectID: ["read": true]]])
    for number in [0, 2, 3] { try device.edit("League", "league \(number)", ["level": 5]) }
    _ = try await device.sync()
    let second = try await device.sync()
    #expect(try device.leagues().count == 28, "\(device.leftovers(second))")
    let conflicts = try await device.store.read { try $0.conflicts() }
    let lost = try #require(conflicts.first { $0.record.objectID == ids[0] })
    #expect(lost.reason == .deletedRemotely && lost.lost["level"] == 5)
    #expect(try device.record("League", "league 2")["level"] == 5)
    let pending = try device.pending()
    #expect(pending.map(\.objectID) == [ids[2]])
    if case .parked(let refusal)? = pending.first?.state {
      #expect(refusal.reason == .noPermission)
    } else {
      Issue.record("\(pending)")
    }
    let there = try world.server.rows(of: "League")
    #expect([0, 2, 3].map { there[ids[$0]]?["level"]?.number } == [0, 0, 5])

    // The rows that return are the same rows, and a new edit of a writable one is sent.
    for number in [0, 1, 2] { try world.server.update("League", ids[number], ["ACL": anna.own]) }
    try device.edit("League", "league 2", ["level": 6])
    _ = try await device.sync()
    let last = try await device.sync()
    #expect(last.outcome == .complete, "\(device.leftovers(last))")
    #expect(try device.leagues().count == 30)
    #expect(try device.record("League", "league 0").localID == before.localID)
    #expect(try device.record("League", "league 0")["level"] == 0)
    #expect(try world.server.row("League", ids[2])?["level"]?.number == 6)
    try world.expectEqual(device, classes: ["League"])
  }

  /// Membership of a role changes what a user may read, and no stamp shows that.
  @Test(arguments: TestServer.Kind.all)
  func `a role gains and loses a member`(on kind: TestServer.Kind) async throws {
    let world = try LeagueWorld(kind)
    let anna = try TestUser(signingUp: "anna", at: world.server)
    let role =
      try world.server.send(
        .post, "/roles", ["name": "Editors", "ACL": ["*": ["read": true]]])["objectId"]?.string
      ?? ""
    let old = LoopbackValue.date("2024-05-01T10:00:00.000Z")
    _ = try world.server.load(
      "League",
      (0..<36).map { number in
        let access: LoopbackValue =
          number < 30
          ? ["*": ["read": true, "write": true]]
          : ["role:Editors": ["read": true, "write": true]]
        return [
          "name": .string("league \(number)"), "level": 0, "ACL": access, "createdAt": old,
          "updatedAt": old,
        ]
      })
    let device = try world.device(as: anna.server)
    _ = try await device.sync()
    #expect(try device.leagues().count == 30)

    try world.server.setMember(anna.objectID, of: role, true)
    _ = try await device.sync()
    #expect(try device.leagues().count == 36)
    try world.expectEqual(device, classes: ["League"])
    try device.edit("League", "league 31", ["level": 1])
    _ = try await device.sync()
    #expect(
      try world.server.rows(of: "League").values.filter { $0["level"]?.number == 1 }.count == 1)

    try device.edit("League", "league 32", ["level": 2])
    try world.server.setMember(anna.objectID, of: role, false)
    _ = try await device.sync()
    let report = try await device.sync()
    #expect(try device.leagues().count == 30, "\(device.leftovers(report))")
    #expect(report.outcome == .complete)
    #expect(try device.pending() == [])
    let conflicts = try await device.store.read { try $0.conflicts() }
    #expect(conflicts.count { $0.lost["level"] == 2 } == 1)
    #expect(
      try world.server.rows(of: "League").values.filter { $0["level"]?.number == 2 }.isEmpty)
  }
}

extension TestServer {
  /// Adds a user to a role, or removes the user.
  fileprivate func setMember(_ user: String, of role: String, _ isMember: Bool) throws {
    let operation: LoopbackValue = .string(isMember ? "AddRelation" : "RemoveRelation")
    try send(
      .put, "/roles/\(role)",
      ["users": ["__op": operation, "objects": [.pointer("_User", user)]]])
  }
}
