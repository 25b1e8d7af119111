// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryHTTP
import FerryTestSupport
import Foundation
import LoopbackParse
import Synchronization
import Testing

extension SyncTests {
  /// Two users, rows that only one of them may see, and a session that ends.
  @Test(arguments: TestServer.Kind.all, [true, false])
  func `users see their own rows`(on kind: TestServer.Kind, allowsCustomIDs: Bool) async throws {
    let world = try LeagueWorld(kind, allowsCustomIDs ? ServerVariant() : .serversIDs)
    let anna = try TestUser(signingUp: "anna", at: world.server)
    let bert = try TestUser(signingUp: "bert", at: world.server)
    try world.server.create(
      "League",
      [
        ["name": "all"], ["name": "anna's", "ACL": anna.own],
        ["name": "bert's", "ACL": bert.own],
        ["name": "anna may read", "ACL": [anna.objectID: ["read": true]]],
      ])
    let device = try world.device(as: anna.server)
    _ = try await device.sync()
    #expect(try device.leagues() == ["all", "anna may read", "anna's"])

    try await aDeniedEditIsParked(device)
    try await anEndedSessionLosesNothing(device, anna, world)
    try await anotherUserIsRefused(device, bert, world)

    let other = try world.device("b", as: bert.server)
    _ = try await other.sync()
    #expect(try other.leagues() == ["all", "bert's", "made by anna"])
  }

  private func aDeniedEditIsParked(_ device: Device) async throws {
    try device.edit("League", "anna may read", ["level": 3])
    let report = try await device.sync()
    #expect(report.classes["League"]?.parked == 1)
    let entry = try #require(try device.pending().first)
    guard case .parked(let refusal) = entry.state else {
      Issue.record("\(entry.state)")
      return
    }
    #expect(refusal.reason == .noPermission)
    #expect(refusal.message.contains("of League") && refusal.message.contains("Discard it"))
    #expect(try device.record("League", "anna may read")["level"] == 3)
  }

  private func anEndedSessionLosesNothing(
    _ device: Device, _ anna: TestUser, _ world: LeagueWorld
  ) async throws {
    try await device.store.write { db in
      let league = try db.insert("League", ["name": "made by anna"])
      try db.insert("Team", ["name": "made by anna", "league": .pointer(league)])
    }
    try device.edit("League", "anna's", ["level": 9])
    try anna.end()
    let before = try device.pending()
    await #expect {
      try await device.sync()
    } throws: { error in
      (error as? SyncError)?.code == .loginNeeded
    }
    #expect(try device.pending() == before)
    #expect(try device.leagues() == ["all", "anna may read", "anna's", "made by anna"])

    try anna.renew()
    let report = try await device.sync()
    #expect(report.classes["League"]?.created == 1)
    #expect(report.classes["League"]?.put == 1)
    #expect(report.classes["Team"]?.created == 1)
    let rows = try world.server.rows(of: "League").values
    #expect(rows.first { $0["name"]?.string == "anna's" }?["level"]?.number == 9)
    #expect(rows.filter { $0["name"]?.string == "made by anna" }.count == 1)
  }

  private func anotherUserIsRefused(
    _ device: Device, _ bert: TestUser, _ world: LeagueWorld
  ) async throws {
    let other = try world.device(as: bert.server)
    await #expect {
      try await other.sync()
    } throws: { error in
      (error as? SyncError)?.code == .otherUser
    }
  }
}

extension Device {
  /// The names of the local leagues.
  func leagues() throws -> [String] {
    try store.read { db in
      try db.records(of: "League").compactMap { row in
        if case .string(let name) = row["name"] { name } else { nil }
      }.sorted()
    }
  }
}
