// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryTestSupport
import LoopbackParse
import Testing

/// Rows whose removal waits for a confirmation, and which the app takes away meanwhile.
@Suite(.timeLimit(.minutes(2))) struct HeldRemovalTests {
  private let world: SyncWorld

  init() throws { world = try SyncWorld() }

  private var options: SyncOptions {
    var options = SyncOptions()
    options.removalLimit = RemovalLimit(share: 0.1, count: 1)
    return options
  }

  /// The next report names the rest, and one confirmation is enough.
  private func settle(_ device: Device, rest: Int) async throws {
    let held = try await device.store.inspect { try $0.heldRemovals(of: "Game") }
    #expect(held.map(\.count) == [rest])
    let report = try await device.sync()
    #expect(report.guarded == held && report.remaining["Game"]?.held == rest)
    let confirmation = try #require(report.guarded.first?.confirmation)
    let last = try await device.sync(confirming: [confirmation])
    #expect(last.guarded.isEmpty && last.notices.allSatisfy { $0.code != .confirmationUnused })
    #expect(try await device.store.read { try $0.count(of: "Game") } <= 1)
    #expect(try device.pending().isEmpty)
  }

  @Test func `an eviction leaves the rest to be confirmed`() async throws {
    let ids = try world.server.create("Game", (0..<6).map { ["score": .number(Double($0))] })
    let device = try world.device(schema: OnDemandTests.schema, options: options)
    _ = try await device.coordinator.fetch(Query("Game"))
    try world.server.create("Game", ["title": "stays on the server"])
    try await device.store.write { db in
      for row in try db.records(of: "Game") { try db.update(row.reference, ["title": "edited"]) }
    }
    try world.server.delete("Game", ids)
    #expect(try await device.sync().guarded.map(\.count) == [6])
    let row = try #require(
      try await device.store.read { try $0.record(of: "Game", objectID: ids[2])?.reference })
    try await device.store.write { db in
      _ = try db.discardChange(of: "Game", localID: row.localID)
    }
    #expect(try await device.coordinator.evict([row]).evicted == [row])
    try await settle(device, rest: 5)
  }

  @Test func `a delete by the app leaves the rest to be confirmed`() async throws {
    let ids = try world.server.create("Game", (0..<8).map { ["score": .number(Double($0))] })
    let device = try world.device(options: options)
    try await device.sync()
    try world.server.delete("Game", ids.dropLast())
    #expect(try await device.sync().guarded.map(\.count) == [7])
    try await device.store.write { db in
      try db.delete(try #require(try db.record(of: "Game", objectID: ids[2])).reference)
    }
    try await settle(device, rest: 6)
  }
}
