// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryPlanning
import FerryTestSupport
import Foundation
import LoopbackParse
import Synchronization
import Testing

/// The requests of an hour in which a coordinator runs by itself; the hour passes at once, and the syncs are real.
@Suite(.timeLimit(.minutes(5))) struct HourOfSyncsTests {
  private let world: SyncWorld
  private let device: Device
  /// The clock of the device and of the server.
  private let clock = ManualClock()

  init() throws {
    var configuration = LoopbackConfiguration()
    let clock = clock
    configuration.now = { clock.now }
    world = try SyncWorld(TestServer(double: LoopbackServer(configuration)))
    try world.server.create("Game", (0..<30).map { ["title": .string("g\($0)")] })
    try world.server.create("League", [["name": "North"]])
    device = try world.device(
      as: world.server.known(asMaster: false), environment: clock.environment)
    clock.advance(seconds: 3600)
  }

  /// The requests of an hour after the first sync, with an edit after each number of seconds.
  private func requests(editingEach pause: Double?) async throws -> Int {
    try await device.sync()
    let ids = try await device.store.read { try $0.records(of: "Game", limit: 1).map(\.localID) }
    var table = SyncTimetable(SyncSchedule(), classNames: ["Game", "League"], at: -1)
    table.began(["Game", "League"], at: -1)
    table.ended(["Game", "League"], .done(hasSent: false, next: nil), at: 0, chance: 0.5)
    world.network.forget()
    var (now, edit) = (0.0, pause ?? .infinity)
    while now < 3600 {
      switch table.step(at: now) {
      case .sync(let classes): now = try await sync(classes, &table, at: now)
      case .send: now = try await sync(["Game"], &table, at: now)
      case .wait(let time):
        let next = min(time ?? .infinity, edit)
        clock.advance(seconds: next - now)
        now = next
        guard now == edit else { continue }
        edit += pause ?? .infinity
        let score = Int64(now)
        try await device.store.write { store in
          try store.update("Game", ids[0], ["score": .integer(score)])
        }
        table.edited(1, at: now)
      }
    }
    return world.network.requestCount
  }

  private func sync(
    _ classes: Set<String>, _ table: inout SyncTimetable, at now: Double
  ) async throws -> Double {
    table.began(classes, at: now)
    let report = try await device.coordinator.sync(classes: classes)
    let hasSent = report.classes.values.contains { $0.put > 0 }
    table.ended(classes, .done(hasSent: hasSent, next: nil), at: now + 0.1, chance: 0.5)
    return now + 0.1
  }

  @Test func `an hour without edits costs a request for each interval`() async throws {
    let count = try await requests(editingEach: nil)
    #expect((11...12).contains(count), "\(count)")
  }

  @Test func `an hour with an edit each ten seconds costs four requests for each`() async throws {
    let count = try await requests(editingEach: 10)
    // The changes of the class, its count, the version of the row, and the edit.
    #expect((360...(4 * 360 + 12)).contains(count), "\(count)")
  }
}
