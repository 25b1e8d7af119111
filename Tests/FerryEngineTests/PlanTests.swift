// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryStore
import FerryTestSupport
import Foundation
import LoopbackParse
import Randomness
import Synchronization
import Testing

@testable import FerryEngine
@testable import FerryPlanning

/// A sync does what its plan said, on generated worlds.
@Suite(.timeLimit(.minutes(5))) struct PlanTests {
  @Test(arguments: TestServer.Kind.seeds(40, onReal: 6))
  func `a sync does exactly the planned actions`(
    on kind: TestServer.Kind, seed: UInt64
  ) async throws {
    var random = SeededGenerator(seed: seed)
    let world = try SyncWorld(kind, .init(allowsCustomIDs: Bool.random(using: &random)))
    let device = try world.device()
    var play = WorldPlay(world: world, device: device, random: random)
    for round in 0..<3 {
      try play.editBothSides(times: 12)
      let before = try play.state()
      let plan = try await device.coordinator.plan()
      let isUntouched = try play.state() == before
      #expect(isUntouched, "A plan changed something; seed \(seed), round \(round)")
      let run = device.coordinator.startSync()
      let report = try await run.report
      #expect(
        plan.report.classes == report.classes, "seed \(seed), round \(round)")
      let difference = SyncAction.comparable(plan.actions).difference(
        from: SyncAction.comparable(run.actions))
      #expect(difference.isEmpty, "seed \(seed), round \(round)")
    }
    _ = try await device.sync()
    _ = try await device.sync()
    let empty = try await device.coordinator.plan()
    #expect(empty.actions == [], "The plan of a synced world is empty; seed \(seed)")
  }

  /// The same with a comparison of everything, and differences that no download shows.
  @Test(arguments: 40..<52)
  func `a full comparison does exactly the planned actions`(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    var configuration = LoopbackConfiguration()
    let clock = ManualClock()
    configuration.now = { clock.now }
    let server = try LoopbackServer(configuration)
    let world = try SyncWorld(TestServer(double: server))
    let device = try world.device(environment: clock.environment)
    for number in 0..<30 {
      try world.server.create("Game", ["title": .string("g\(number)")])
      clock.advance(seconds: 60)
    }
    _ = try await device.sync()
    clock.advance(seconds: 600)
    var play = WorldPlay(world: world, device: device, random: random)
    try play.editBothSides(times: 6)
    let ids = try world.server.rows(of: "Game").keys.sorted()
    for id in ids where Bool.random(using: &random) {
      let stamp = LoopbackValue.string(Timestamp(clock.now - 3000).description)
      try server.withBackend { backend throws(LoopbackError) in
        switch Int.random(in: 0..<3, using: &random) {
        case 0: try backend.delete("Game", id)
        case 1:
          let created = backend.object("Game", id)?["createdAt"] ?? stamp
          try backend.load([
            "Game": [["objectId": .string(id), "createdAt": created, "updatedAt": stamp]]
          ])
        default: try backend.load(["Game": [["createdAt": stamp, "updatedAt": stamp]]])
        }
      }
    }
    clock.advance(seconds: 10)
    let before = try play.state()
    let plan = try await device.coordinator.plan(comparing: .everything)
    let isUntouched = try play.state() == before
    #expect(isUntouched, "A plan changed something; seed \(seed)")
    let run = device.coordinator.startSync(comparing: .everything)
    let report = try await run.report
    #expect(plan.report.classes == report.classes, "seed \(seed)")
    #expect(plan.report.guarded == report.guarded, "seed \(seed)")
    let difference = SyncAction.comparable(plan.actions).difference(
      from: SyncAction.comparable(run.actions))
    #expect(difference.isEmpty, "seed \(seed)")
    #expect(plan.actions.contains { $0.stage == .deleteMissing }, "seed \(seed)")
  }

  @Test func `a plan leaves the right to sync to others once it has its copies`() throws {
    let world = try SyncWorld()
    let device = try world.device()
    let refusals = Mutex<[Bool]>([])
    world.network.setFault { _ in
      let lock = try? device.store.lockForSync()
      refusals.withLock { $0.append(lock == nil) }
      lock?.release()
      return nil
    }
    _ = device.coordinator.planInLine()
    let seen = refusals.withLock(\.self)
    #expect(!seen.isEmpty)
    #expect(!seen.contains(true))
  }
}

/// Edits both sides at random.
struct WorldPlay {
  let world: SyncWorld
  let device: Device
  var random: SeededGenerator

  mutating func editBothSides(times: Int) throws {
    for _ in 0..<times {
      if Bool.random(using: &random) { try editHere() } else { try editThere() }
    }
  }

  private mutating func editHere() throws {
    let games = try device.store.read { try $0.records(of: "Game") }
    let leagues = try device.store.read { try $0.records(of: "League") }
    let title = Value.string("here \(Int.random(in: 0..<1000, using: &random))")
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1: try device.store.write { _ = try $0.insert("League", ["name": title]) }
    case 2, 3, 4:
      var fields: Fields = [
        "title": title, "score": .integer(Int64.random(in: 0..<9, using: &random)),
      ]
      if let league = leagues.randomElement(using: &random) {
        fields["league"] = .pointer(league.reference)
      }
      if let game = games.randomElement(using: &random) {
        fields["previous"] = .pointer(game.reference)
      }
      try device.store.write { [fields] in _ = try $0.insert("Game", fields) }
    case 5, 6, 7:
      guard let game = games.randomElement(using: &random) else { return }
      try device.store.write { try $0.update(game.reference, ["title": title]) }
    case 8:
      guard let game = games.randomElement(using: &random),
        let other = games.randomElement(using: &random)
      else { return }
      try device.store.write {
        try $0.update(game.reference, ["previous": .pointer(other.reference)])
      }
    default:
      guard let game = games.randomElement(using: &random) else { return }
      try device.store.write { try $0.delete(game.reference) }
    }
  }

  private mutating func editThere() throws {
    let ids = try world.server.rows(of: "Game").keys.sorted()
    let number = Int.random(in: 0..<1000, using: &random)
    let choice = Int.random(in: 0..<8, using: &random)
    let id = ids.randomElement(using: &random)
    switch (choice, id) {
    case (0...2, _), (_, nil):
      try world.server.create("Game", ["title": .string("there \(number)")])
    case (3...4, let id?):
      try world.server.update("Game", id, ["title": .string("there \(number)")])
    case (5...6, let id?): try world.server.update("Game", id, ["score": .number(Double(number))])
    case (_, let id?): try world.server.delete("Game", [id])
    }
  }

  /// Everything that a plan must not change, on both sides and in the staging area.
  struct State: Equatable {
    var there: [String: [String: TestServer.Row]]
    var here: [[Record]]
    var pending: [OutboxEntry]
    var files: [String]
  }

  func state() throws -> State {
    let names = ["League", "Game"]
    return State(
      there: try Dictionary(
        uniqueKeysWithValues: names.map { ($0, try world.server.rows(of: $0)) }),
      here: try device.store.read { db in try names.map { try db.records(of: $0) } },
      pending: try device.pending(),
      files: ((try? FileManager.default.subpathsOfDirectory(atPath: device.staging.path)) ?? [])
        .sorted())
  }
}
