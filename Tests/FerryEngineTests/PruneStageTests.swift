// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import FerryTestSupport
import Testing

@testable import FerryEngine

@Suite(.timeLimit(.minutes(5))) struct PruneStageTests {
  @Test(arguments: StageBench.Kind.allCases)
  func `a sync drops history that is older than a week, and keeps what is younger`(
    kind: StageBench.Kind
  ) throws {
    let bench = try StageBench(kind)
    for number in 0..<20 {
      _ = try bench.store.write { try $0.insert("Game", ["title": "\(number)"]) }
    }
    try bench.sync()
    try bench.run([PruneStage()])
    #expect(try bench.store.read { try $0.changes(after: .start, limit: 99) }.count >= 20)
    bench.wait(.seconds(8 * 24 * 3600))
    try bench.run([PruneStage()])
    let error = #expect(throws: StoreError.self) {
      try bench.store.read { try $0.changes(after: .start, limit: 99) }
    }
    #expect(error?.code == .historyPruned)
    #expect(try bench.pending().isEmpty)
    #expect(try bench.games().count == 20)
  }

  @Test(arguments: StageBench.Kind.allCases)
  func `a sync drops old conflict records, those that nobody saw last, and keeps a thousand`(
    kind: StageBench.Kind
  ) throws {
    let bench = try StageBench(kind)
    let game = RecordReference(className: "Game", localID: LocalID(rawValue: 1), objectID: "g")
    let begin = bench.now
    try bench.store.sync(.normal) { transaction in
      for _ in 1...3500 {
        try transaction.recordConflict(
          ConflictRecord(time: begin, record: game, reason: .remoteWon, lost: ["title": "x"]))
      }
    }
    try bench.store.write { try $0.markConflictsSeen(through: 1200) }
    func left() throws -> (first: Int64?, count: Int) {
      let all = try bench.store.read { try $0.conflicts() }
      return (all.last?.id, all.count)
    }
    bench.wait(.seconds(89 * 24 * 3600))
    try bench.run([PruneStage()])
    #expect(try left() == (1, 3500))
    bench.wait(.seconds(2 * 24 * 3600))
    try bench.run([PruneStage()])
    #expect(try left() == (1201, 2300))
    bench.wait(.seconds(273 * 24 * 3600))
    try bench.run([PruneStage()])
    #expect(try left() == (1201, 2300))
    bench.wait(.seconds(2 * 24 * 3600))
    try bench.run([PruneStage()])
    #expect(try left() == (2501, 1000))
  }
}
