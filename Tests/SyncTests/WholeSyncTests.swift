// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryPlanning
import FerryTestSupport
import Testing

extension SyncTests {
  /// Edits, creates and deletes on both sides, one after another on the same two devices.
  @Test(arguments: ServerVariant.cases(ServerVariant.orders))
  func `a whole sync goes both ways with every kind of server`(
    on kind: TestServer.Kind, _ variant: ServerVariant
  ) async throws {
    let world = try LeagueWorld(kind, variant)
    try world.seed(leagues: 4, teams: 12, games: 120)
    let whole = try WholeSync(
      world: world, variant: variant,
      a: world.device("a", conflicts: .remoteWins.except(for: "Team", .localWins)),
      b: world.device("b"))
    try await whole.bothAgree()
    try await whole.edits()
    try await whole.creates()
    try await whole.deletes()
    try await whole.massDeletesWait()
  }
}

/// Two devices and a server, and what happens between them.
struct WholeSync {
  let world: LeagueWorld
  let variant: ServerVariant
  let a: Device
  let b: Device

  /// Syncs until each device has the other's changes, and compares all three.
  func bothAgree(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    for device in [a, b, a, b] {
      let report = try await device.sync()
      #expect(
        report.outcome == .complete, "\(device.leftovers(report))", sourceLocation: sourceLocation)
    }
    try world.expectEqual(a, sourceLocation: sourceLocation)
    try world.expectEqual(b, sourceLocation: sourceLocation)
  }

  /// The server's row of that id.
  func serverRow(_ className: String, _ objectID: String) throws -> TestServer.Row {
    try world.server.rows(of: className)[objectID] ?? [:]
  }
}
