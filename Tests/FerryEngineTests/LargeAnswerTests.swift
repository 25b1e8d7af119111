// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryHTTP
import FerryStore
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

@testable import FerryEngine
@testable import FerryPlanning

/// Records that together, or alone, are larger than one answer may be.
///
/// The network allows answers of a thousandth, 8 and 24 KiB, so that the tests need no large records.
@Suite(.timeLimit(.minutes(5))) struct LargeAnswerTests {
  private static let text = String(repeating: "x", count: 1 << 10)

  @Test(arguments: StageBench.Kind.allCases)
  func `records that are too large for one answer are listed and compared in parts`(
    kind: StageBench.Kind
  ) throws {
    let bench = try StageBench(kind)
    for _ in 0..<100 { try bench.create("Game", ["title": .string(Self.text)]) }
    bench.network.setFault { $0.isWrite ? nil : .limitDivided(by: 1024) }
    #expect(try bench.pull().classes["Game"]?.imported == 100)
    // Ids and versions of a hundred records have more than 8 KiB, too.
    let compared = try bench.pull(comparing: .everything)
    #expect(compared.notices.filter { $0.code == .classFailed }.isEmpty)
    #expect(try bench.games().values.allSatisfy { $0["title"] == .string(Self.text) })
  }

  @Test(arguments: TestServer.Kind.all)
  func `creates whose answers were lost are looked up in parts`(
    on kind: TestServer.Kind
  ) async throws {
    let world = try SyncWorld(kind, .init(allowsCustomIDs: false))
    let device = try world.device()
    _ = try await device.store.write { try $0.insert("Game", ["title": "known"]) }
    _ = try await device.sync(.only(.postCreated))
    try await device.store.write { db in
      for _ in 0..<40 { try db.insert("Game", ["title": .string(Self.text)]) }
    }
    world.network.setFault { $0.writes(.post) ? .answerLost : nil }
    _ = try? await device.sync(.only(.postCreated))
    #expect(try world.server.count(of: "Game") == 41)
    world.network.setFault { $0.isWrite ? nil : .limitDivided(by: 1024) }
    let report = try await device.sync(.only(.postCreated))
    #expect(report.classes["Game"]?.created == 40)
    #expect(try world.server.count(of: "Game") == 41)
  }

  @Test(arguments: StageBench.Kind.allCases)
  func `a record that is too large by itself fails its class alone`(
    kind: StageBench.Kind
  ) throws {
    let bench = try StageBench(kind)
    let large = String(repeating: "x", count: 30 << 10)
    try bench.create("Game", ["title": .string(large)])
    try bench.create("League", ["name": "North", "level": 1])
    bench.network.setFault { $0.isWrite ? nil : .limitDivided(by: 1024) }
    let report = try bench.pull()
    let notice = try #require(report.notices.first { $0.code == .classFailed })
    #expect(notice.className == "Game")
    #expect(notice.message.contains("Make the record smaller on the server"))
    #expect(try bench.store.read { try $0.count(of: "League") } == 1)
  }
}
