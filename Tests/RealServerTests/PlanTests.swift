// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

@testable import FerryEngine

extension RealServerTests {
  /// A plan writes nothing on either side, and the sync after it does just that.
  @Test(arguments: [true, false]) func whatIsDoneIsWhatWasPlanned(
    allowsCustomIDs: Bool
  ) async throws {
    try await RealWorld.with(RealWorld.Variant(allowsCustomIDs: allowsCustomIDs)) { world in
      try await world.seed(leagues: 3, teams: 8, games: 60)
      let device = try world.device()
      try await expectPlanIsDone(device, world)
      try await editBothSides(device, world)
      try await expectPlanIsDone(device, world)
      try await world.settle(device)
    }
  }

  private func editBothSides(_ device: Device, _ world: RealWorld) async throws {
    let game = try (0..<20).map { try device.record("Game", "Game \($0)").objectID }
    try device.store.write { db in
      let league = try db.insert("League", ["name": "new"])
      let team = try db.insert("Team", ["name": "new", "league": .pointer(league)])
      let first = try db.insert("Game", ["title": "new 1", "home": .pointer(team)])
      let second = try db.insert("Game", ["title": "new 2", "previous": .pointer(first)])
      try db.update(first, ["previous": .pointer(second)])
    }
    try device.edit("Game", "Game 1", ["notes": "here", "score": 1])
    try device.edit("Game", "Game 2", ["notes": "here"])
    try device.edit("Game", "Game 3", ["title": "here"])
    for number in [4, 5] {
      let row = try device.record("Game", "Game \(number)")
      try device.store.write { try $0.delete(row.reference) }
    }
    try await world.access.update(
      "Game", [game[2]: ["score": 2], game[3]: ["title": "there"], game[6]: ["isFinal": true]])
    try await world.access.delete("Game", [game[7], game[8]])
    _ = try await world.access.create("Team", [["name": "there"]])
  }

  private func expectPlanIsDone(_ device: Device, _ world: RealWorld) async throws {
    let rows = try await world.rows()
    let classes = try await world.access.classes()
    let here = try device.state()
    let plan = try await device.coordinator.plan()
    #expect(!plan.isEmpty)
    #expect(try await world.rows() == rows)
    #expect(try await world.access.classes() == classes)
    #expect(try device.state() == here)

    let run = device.coordinator.startSync()
    let report = try await run.report
    #expect(report.classes == plan.report.classes)
    let differences = comparable(plan.actions).difference(from: comparable(run.actions))
    #expect(differences.isEmpty)
  }

  /// Ids made by the server are not known to a plan; rows here are told apart by their local ids.
  private func comparable(_ actions: [SyncAction]) -> [String] {
    actions.map { action in
      var action = action
      if action.localID != nil { action.objectID = nil }
      action.reason = nil
      return "\(action)"
    }.sorted()
  }
}

/// Everything here that a plan must leave alone.
private struct LocalState: Equatable {
  var rows: [[Record]]
  var pending: [OutboxEntry]
  var files: [String]
}

extension Device {
  fileprivate func state() throws -> LocalState {
    LocalState(
      rows: try store.read { db in try RealSchema.classNames.map { try db.records(of: $0) } },
      pending: try pending(),
      files: ((try? FileManager.default.subpathsOfDirectory(atPath: staging.path)) ?? []).sorted())
  }
}
