// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryPlanning
import FerryTestSupport
import Testing

extension SyncTests {
  @Test(arguments: TestServer.Kind.all)
  func `many records come over`(on kind: TestServer.Kind) async throws {
    let world = try LeagueWorld(kind)
    let games = kind == .double ? 1_500 : 19_500
    try world.seed(leagues: 40, teams: 460, games: games)
    let device = try world.device()
    let first = try await device.sync()
    #expect(first.outcome == .complete, "\(device.leftovers(first))")
    #expect(first.classes.mapValues(\.imported) == ["League": 40, "Team": 460, "Game": games])
    try world.expectEqual(device)

    // The rows are older than the overlap, so no listing returns them again.
    let before = try await device.store.read { try $0.lastToken() }
    let second = try await device.sync()
    // The proof of the master key, and one batch of listings.
    #expect(second.requests == 2)
    #expect(second.classes == LeagueSchema.nothing)
    #expect(second.outcome == .complete)
    #expect(try await device.store.read { try $0.lastToken() } == before)
    #expect(try await device.coordinator.plan().isEmpty)
  }
}

extension LeagueSchema {
  /// The counts of a sync that did nothing.
  static var nothing: [String: SyncReport.Counts] {
    Dictionary(uniqueKeysWithValues: classNames.map { ($0, SyncReport.Counts()) })
  }
}
