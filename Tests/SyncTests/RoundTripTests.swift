// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryPlanning
import FerryTestSupport
import LoopbackParse
import Testing

/// Whole syncs between a server of either kind and several devices.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SyncTests {}

extension SyncTests {
  /// The device imports the server's rows, and sends edits, creates and deletes as planned.
  ///
  /// A second device sees the same.
  @Test(arguments: ServerVariant.cases(ServerVariant.all))
  func `every kind of field goes both ways`(on kind: TestServer.Kind, _ variant: ServerVariant)
    async throws
  {
    let world = try LeagueWorld(kind, variant)
    try world.seed(leagues: 3, teams: 8, games: 60)
    let (a, b) = (try world.device("a"), try world.device("b"))
    try await expectPlanIsDone(a, world)
    try world.expectEqual(a)
    try await b.sync()

    try editBothSides(a, world)
    try await expectPlanIsDone(a, world)
    try b.edit("Game", "Game 9", ["score": 9])
    try b.delete("Game", "Game 10")
    _ = try await b.store.write { try $0.insert("Game", ["title": "of b"]) }
    for device in [b, a, b] { try await world.resolve(device) }
    try world.expectEqual(a)
    #expect(
      try b.record("Game", "new 1")["previous"] == .pointer(b.record("Game", "new 2").reference))
    #expect(try a.record("Game", "Game 9")["score"] == 9)
    for device in [a, b] { #expect(try await device.coordinator.plan().isEmpty) }
  }

  private func editBothSides(_ device: Device, _ world: LeagueWorld) throws {
    let game = try (0..<20).map { try device.record("Game", "Game \($0)").objectID }
    try device.store.write { db in
      let league = try db.insert("League", ["name": "new"])
      let team = try db.insert("Team", ["name": "new", "league": .pointer(league)])
      let first = try db.insert("Game", ["title": "new 1", "home": .pointer(team)])
      let second = try db.insert("Game", ["title": "new 2", "previous": .pointer(first)])
      try db.update(first, ["previous": .pointer(second)])
      for number in 3..<33 {
        try db.insert("Game", ["title": .string("new \(number)"), "home": .pointer(team)])
      }
    }
    try device.edit("Game", "Game 1", ["tags": ["here"], "score": 1])
    try device.edit("Game", "Game 2", ["ratio": 2.5])
    try device.edit("Game", "Game 3", ["title": "here"])
    try device.edit("League", "League 1", ["name": "League 1", "level": .null])
    for number in [4, 5] { try device.delete("Game", "Game \(number)") }
    try world.server.update(
      "Game", [game[2]: ["score": 2], game[3]: ["title": "there"], game[6]: ["isFinal": true]])
    try world.server.delete("Game", [game[7], game[8]])
    try world.server.create("Team", ["name": "there"])
  }

  /// Checks that a plan writes nothing on either side, and that the sync after it does the same
  /// actions.
  private func expectPlanIsDone(_ device: Device, _ world: LeagueWorld) async throws {
    let rows = try world.rows()
    let classes = try world.server.classes()
    let here = try device.state()
    let plan = try await device.coordinator.plan()
    #expect(!plan.isEmpty)
    #expect(try world.rows() == rows)
    #expect(try world.server.classes() == classes)
    #expect(try device.state() == here)

    let run = device.coordinator.startSync()
    let report = try await run.report
    #expect(report.classes == plan.report.classes, "\(device.leftovers(report))")
    let differences = SyncAction.comparable(plan.actions).difference(
      from: SyncAction.comparable(run.actions))
    #expect(differences.isEmpty)
  }
}
