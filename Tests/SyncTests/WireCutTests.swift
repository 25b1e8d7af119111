// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryTestSupport
import Testing

/// Whole syncs over real sockets in which a reset of the connection cuts one exchange.
@Suite(.serialized, .timeLimit(.minutes(1))) struct WireCutTests {
  /// More exchanges than a sync of the prepared device has.
  private static let places = 1...24

  @Test(arguments: places)
  func `a cut exchange ends nothing but what it was about, and nothing is lost`(
    place: Int
  ) async throws {
    let answers = [0, 30, 200, .max].map { WireCut(place: place, answerBytes: $0) }
    let requests = [1, 160].map { WireCut(place: place, requestBytes: $0) }
    try await withThrowingTaskGroup { group in
      for cut in answers + requests { group.addTask { try await sync(cut) } }
      try await group.waitForAll()
    }
  }

  private func sync(_ cut: WireCut) async throws {
    let world = try await EvilWorld()
    world.server.cut(cut)
    let result = await world.sync()
    guard world.server.playedCount > 0 else { return }
    let comment: Comment = "\(cut)"
    if case .failure(let error) = result { #expect(error.code == .tryAgain, comment) }
    try world.expectNothingRemoved(comment)
    try await world.expectConvergence(comment)
  }

  @Test func `the sync that is cut asks for everything`() async throws {
    let world = try await EvilWorld()
    world.server.play(nil)
    let report = try await world.sync().get()
    #expect(report.outcome == .complete)
    #expect((12..<Self.places.upperBound).contains(world.server.requestCount))
    try await world.expectConvergence("without a cut")
  }
}
