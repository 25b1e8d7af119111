// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryHTTP
import FerryStore
import FerryTestSupport
import Foundation
import Synchronization
import Testing

@testable import FerryEngine

/// The end of an upload, its progress and its report.
@Suite(.timeLimit(.minutes(2))) struct UploadBoundsTests {
  @Test func `an upload sends what was there when it began, and ends while the app inserts`()
    throws
  {
    let bench = try StageBench()
    try bench.store.write { db in
      for number in 0..<3 { try db.insert("Game", ["title": .string("before \(number)")]) }
    }
    let store = bench.store
    let inserted = Mutex(0)
    bench.network.setFault { request in
      guard request.isWrite, inserted.withLock({ $0 < 40 }) else { return nil }
      inserted.withLock { $0 += 1 }
      _ = try? store.write { try $0.insert("Game", ["title": "meanwhile"]) }
      return nil
    }
    let report = try bench.run([PostCreatedStage()])
    #expect(report.classes["Game"]?.created == 3)
    #expect(try bench.pending().count == inserted.withLock(\.self))
    bench.network.setFault(nil)
    try bench.run([PostCreatedStage()])
    #expect(try bench.pending().isEmpty)
  }

  @Test func `an upload says how many records of the class it sends`() async throws {
    let world = try SyncWorld()
    let device = try world.device()
    try await device.store.write { db in
      let league = try db.insert("League", ["name": "a"])
      for _ in 0..<60 { try db.insert("Game", ["league": .pointer(league)]) }
    }
    let run = device.coordinator.startSync(.only(.postCreated))
    var last: [String: SyncProgress] = [:]
    for await event in run.events {
      if case .progress(let progress) = event { last[progress.className] = progress }
    }
    _ = try await run.report
    #expect(last["Game"]?.done == 60)
    #expect(last["Game"]?.expected == 60)
    #expect(last["League"]?.done == 1)
    #expect(last["League"]?.expected == 1)
  }

  @Test func `a run is partial as long as anything is parked, waits or is set aside`() async throws
  {
    let world = try SyncWorld(.double, .init(allowsCustomIDs: true))
    let device = try world.device()
    let game = try await device.store.write { try $0.insert("Game", ["title": "a"]) }
    #expect(try await device.sync().outcome == .complete)
    try await device.store.write {
      try $0.update(game, ["title": .string(String(repeating: "\0", count: 1))])
    }
    #expect(try await device.sync().outcome == .partial)
    let again = try await device.sync()
    #expect(again.outcome == .partial)
    #expect(again.remaining["Game"]?.parked == 1)
    #expect(again.remaining.count == 1)
    let plan = try await device.coordinator.plan()
    #expect(plan.isEmpty)
    #expect(plan.report.outcome == .partial)
    try await device.store.write { try $0.update(game, ["title": "b"]) }
    let cured = try await device.sync()
    #expect(cured.remaining.isEmpty)
    #expect(cured.outcome == .complete)
  }

  @Test func `deletes that wait for a confirmation say so in the outbox`() async throws {
    let world = try SyncWorld(.double, .init(allowsCustomIDs: true))
    let device = try world.device()
    let games = try await device.store.write { db in
      try (0..<8).map { try db.insert("Game", ["title": .string("\($0)")]) }
    }
    _ = try await device.sync()
    try await device.store.write { db in for game in games { try db.delete(game) } }
    let report = try await device.sync()
    let set = try #require(report.guarded.first?.confirmation)
    #expect(report.remaining["Game"]?.held == 8)
    #expect(try device.pending().allSatisfy { $0.state == .blocked(by: .confirmation(set)) })
    #expect(try await device.sync(confirming: [set]).outcome == .complete)
    #expect(try world.server.rows(of: "Game").isEmpty)
  }

  @Test func `a confirmation that lets nothing pass is told by sync and plan`() async throws {
    let world = try SyncWorld(.double, .init(allowsCustomIDs: true))
    let device = try world.device()
    let games = try await device.store.write { db in
      try (0..<8).map { try db.insert("Game", ["title": .string("\($0)")]) }
    }
    _ = try await device.sync()
    try await device.store.write { db in for game in games { try db.delete(game) } }
    let set = try #require(try await device.sync().guarded.first?.confirmation)
    let other = String(set.dropLast(16)) + "0123456789abcdef"
    let unused = { (report: SyncReport) in
      report.notices.filter { $0.code.rawValue == "confirmation-unused" }
    }
    let wrong: Set = ["wrong", other]
    let report = try await device.sync(confirming: wrong)
    #expect(unused(report).map(\.className) == ["Game", nil])
    #expect(unused(report).last?.message.contains("\"wrong\" let nothing pass") == true)
    #expect(unused(try await device.coordinator.plan(confirming: wrong).report).count == 2)
    #expect(unused(try await device.coordinator.plan(confirming: [set]).report).isEmpty)
    #expect(unused(try await device.sync(confirming: [set])).isEmpty)
    #expect(unused(try await device.sync(confirming: [set])).count == 1, "the set has passed")
  }
}
