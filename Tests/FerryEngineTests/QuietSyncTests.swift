// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryScenarios
import FerryStore
import FerryTestSupport
import LoopbackParse
import Synchronization
import Testing

@testable import FerryEngine

/// Syncs in which nothing has changed.
struct QuietSyncTests {
  /// Counts the transactions of the engine.
  private final class CountingStore: ForwardingStore {
    let inner: any SyncStore
    let count = Mutex(0)
    /// How many of them wait for the disk.
    let waiting = Mutex(0)

    init(_ inner: any SyncStore) { self.inner = inner }

    func checkLife() throws(StoreError) {}

    func syncRead<Result>(
      _ body: (any SyncReader) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
      count.withLock { $0 += 1 }
      return try inner.syncRead(body)
    }

    func sync<Result>(
      _ durability: Durability, _ body: (any SyncTransaction) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
      count.withLock { $0 += 1 }
      if durability == .full { waiting.withLock { $0 += 1 } }
      return try inner.sync(durability, body)
    }
  }

  private static let stages: [any Stage] = [
    IdentifyStage(asksServer: true), ResolveStage(), DownloadStage(), ImportStage(),
    DeleteMissingStage(), PostCreatedStage(), PutUpdatedStage(), DeleteDeletedStage(),
    RemainderStage(newestConflict: 0), PruneStage(),
  ]

  /// The transactions of a sync without changes, with a row in each class.
  private static func transactions(
    classes: Int, _ kind: StageBench.Kind
  ) throws -> Int {
    let schema = Schema(
      (1...classes).map { number in Entity("Class\(number)") { Field("title", .text) } })
    let clock = ManualClock()
    var configuration = LoopbackConfiguration()
    configuration.now = { clock.now }
    let bench = try StageBench(
      kind, schema: schema, server: TestServer(double: LoopbackServer(configuration)))
    for entity in schema.entities { _ = try bench.create(entity.name, ["title": "a"]) }
    // The first sync imports, and the second one compares, because the listing was not empty.
    for _ in 1...2 {
      clock.advance(seconds: 300)
      bench.wait(.seconds(300))
      try bench.run(stages)
    }
    let store = CountingStore(bench.store)
    let report = try bench.run(stages, store: store)
    #expect(report.notices.isEmpty)
    #expect(store.waiting.withLock(\.self) == 0, "nothing changed, so no write waits for the disk")
    return store.count.withLock(\.self)
  }

  @Test(arguments: StageBench.Kind.allCases)
  func `a sync without changes takes as many transactions for twenty classes as for two`(
    _ kind: StageBench.Kind
  ) throws {
    let few = try Self.transactions(classes: 2, kind)
    #expect(try Self.transactions(classes: 20, kind) == few)
    #expect(few < 30)
  }
}
