// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryModel
import FerryPlanning
import FerryScenarios
import FerryStore
import FerryTestSupport
import LoopbackParse
import Synchronization
import Testing

@testable import FerryEngine

/// A process that ends within an import.
struct InterruptedImportTests {
  /// A store that refuses all transactions after some, as if the process had ended.
  private final class EndingStore: ForwardingStore {
    let inner: any SyncStore
    private let left: Mutex<Int>

    init(_ inner: any SyncStore, after count: Int) {
      self.inner = inner
      left = Mutex(count)
    }

    func checkLife() throws(StoreError) {}

    func sync<Result>(
      _ durability: Durability, _ body: (any SyncTransaction) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
      let isOver = left.withLock { left in
        left -= 1
        return left < 0
      }
      if isOver { throw StoreError(.database, "The process has ended.") }
      return try inner.sync(durability, body)
    }
  }

  @Test(arguments: StageBench.Kind.allCases, 0...6)
  func `an import that ends after any transaction loses no update`(
    _ kind: StageBench.Kind, count: Int
  ) throws {
    let clock = ManualClock()
    var configuration = LoopbackConfiguration()
    configuration.now = { clock.now }
    let bench = try StageBench(
      kind, server: TestServer(double: LoopbackServer(configuration)))
    let ids = try bench.createGames(30)
    try bench.pull()
    for id in ids { try bench.update("Game", id, ["score": 7]) }
    // Otherwise the next listing would show the rows again.
    clock.advance(seconds: 600)
    bench.wait(.seconds(600))
    var options = SyncOptions()
    options.pageSize = 10
    options.rowsPerImport = 10
    try bench.run([DownloadStage()], options: options)
    let store = EndingStore(bench.store, after: count)
    _ = try? bench.run([ImportStage()], options: options, store: store)
    try bench.run([DownloadStage(), ImportStage()], options: options)
    #expect(try bench.games().values.allSatisfy { $0["score"] == 7 })
  }
}
