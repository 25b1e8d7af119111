// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryTestSupport
import Testing

/// Everything here needs a real Parse Server, one at a time.
@Suite(
  .serialized, .timeLimit(.minutes(5)),
  .enabled(
    if: RealServer.script != nil,
    "No real Parse Server can be started here: Tools/RealServer/start says why."))
struct RealServerTests {
  @Test func twentyThousandRecordsComeOver() async throws {
    try await RealWorld.with { world in
      try await world.seed(leagues: 40, teams: 460, games: 19_500)
      let device = try world.device()
      let first = try await device.sync()
      #expect(first.outcome == .complete, "\(device.leftovers(first))")
      #expect(first.classes.mapValues(\.imported) == ["League": 40, "Team": 460, "Game": 19_500])
      try await world.expectEqual(device)

      // The rows are older than the overlap, so nothing is listed again.
      let before = try device.store.read { try $0.lastToken() }
      let second = try await device.sync()
      #expect(second.requests == 1)
      #expect(second.classes == RealSchema.nothing)
      #expect(second.outcome == .complete)
      #expect(try device.store.read { try $0.lastToken() } == before)
      #expect(try await device.coordinator.plan().isEmpty)
    }
  }
}

extension RealSchema {
  /// The counts of a sync that did nothing.
  static var nothing: [String: SyncReport.Counts] {
    Dictionary(uniqueKeysWithValues: classNames.map { ($0, SyncReport.Counts()) })
  }
}
