// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import Testing

@testable import FerryEngine

@Suite(.timeLimit(.minutes(5))) struct PruneHistoryStageTests {
  @Test(arguments: StageBench.Kind.allCases)
  func `a sync drops history that is older than a week, and keeps what is younger`(
    kind: StageBench.Kind
  ) throws {
    let bench = try StageBench(kind)
    for number in 0..<20 {
      _ = try bench.store.write { try $0.insert("Game", ["title": "\(number)"]) }
    }
    try bench.sync()
    try bench.run([PruneHistoryStage()])
    #expect(try bench.store.read { try $0.changes(after: .start, limit: 99) }.count >= 20)
    bench.wait(.seconds(8 * 24 * 3600))
    try bench.run([PruneHistoryStage()])
    let error = #expect(throws: StoreError.self) {
      try bench.store.read { try $0.changes(after: .start, limit: 99) }
    }
    #expect(error?.code == .historyPruned)
    #expect(try bench.pending().isEmpty)
    #expect(try bench.games().count == 20)
  }

}
