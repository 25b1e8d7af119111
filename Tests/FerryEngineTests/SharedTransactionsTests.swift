// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryHTTP
import FerryModel
import FerryScenarios
import FerryStore
import FerryTestSupport
import LoopbackParse
import Synchronization
import Testing

@testable import FerryEngine
@testable import FerryPlanning

/// Transactions that record several answered batches, and begin several others.
@Suite(.timeLimit(.minutes(2))) struct SharedTransactionsTests {
  /// A store that takes no more transactions of the engine from some moment on, as if the process had ended.
  private final class MortalStore: ForwardingStore {
    let inner: any SyncStore
    private let isDead = Mutex(false)

    init(_ inner: any SyncStore) { self.inner = inner }

    func die() { isDead.withLock { $0 = true } }

    func checkLife() throws(StoreError) {}

    func sync<Result>(
      _ durability: Durability, _ body: (any SyncTransaction) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
      if isDead.withLock(\.self) { throw StoreError(.database, "The process has ended.") }
      return try inner.sync(durability, body)
    }
  }

  private var options: SyncOptions {
    var options = SyncOptions()
    options.batchSize = 2
    options.batchesInFlight = 1
    return options
  }

  /// A device with games to create, on a server of which it knows all that it can.
  private func bench(_ kind: StageBench.Kind, games: Int) throws -> StageBench {
    let bench = try StageBench(kind, .init(allowsCustomIDs: false))
    try bench.store.write { db in
      for number in 0..<games { try db.insert("Game", ["score": .integer(Int64(number))]) }
    }
    try bench.store.sync(.full) { transaction in
      try transaction.change(.capabilities) {
        $0.allowsCustomIDs = false
        $0.isBatchProven = true
      }
    }
    return bench
  }

  /// Calls the closure before each write leaves, with its number.
  ///
  /// The bench keeps the closure, so the closure must not keep the bench.
  private func beforeEachWrite(
    of bench: StageBench, _ body: @escaping @Sendable (Int) -> Void
  ) {
    let count = Mutex(0)
    bench.network.setFault { request in
      guard request.isWrite else { return nil }
      body(
        count.withLock {
          $0 += 1
          return $0
        })
      return nil
    }
  }

  /// How many entries are being sent when each write leaves.
  private func sending(
    _ bench: StageBench, games: Int = 8, _ before: @escaping @Sendable (Int) -> Void = { _ in }
  ) throws -> [Int] {
    let counts = Mutex<[Int]>([])
    beforeEachWrite(of: bench) { [unowned bench] number in
      let sending = try? bench.pending().count { $0.state == .sending }
      counts.withLock { $0.append(sending ?? -1) }
      before(number)
    }
    let report = try bench.run([PostCreatedStage()], options: options)
    #expect(report.classes["Game"]?.created == games)
    #expect(try bench.pending().isEmpty)
    return counts.withLock(\.self)
  }

  @Test(arguments: StageBench.Kind.allCases)
  func `batches of a quick server are begun and recorded together`(
    in kind: StageBench.Kind
  ) throws {
    // One, two and four of them; the last five of twelve.
    #expect(
      try sending(bench(kind, games: 24), games: 24)
        == [2, 4, 4, 8, 8, 8, 8, 10, 10, 10, 10, 10])
  }

  @Test func `as many batches are begun as leave within a quarter of a second`() throws {
    let bench = try bench(.memory, games: 24)
    let begun = try sending(bench, games: 24) { [unowned bench] _ in
      bench.wait(.milliseconds(100))
    }
    #expect(begun == [2, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 2])
  }

  @Test func `each batch of a slow server is begun for itself`() throws {
    let bench = try bench(.memory, games: 8)
    let begun = try sending(bench) { [unowned bench] _ in bench.wait(.milliseconds(130)) }
    #expect(begun == [2, 2, 2, 2])
  }

  @Test func `nothing waits in a class that may not be read`() throws {
    let bench = try bench(.memory, games: 8)
    try bench.store.sync(.full) { transaction in
      try transaction.change(.classState("Game")) {
        $0.failure = .init(isForbidden: true, message: "no")
      }
    }
    #expect(try sending(bench) == [2, 2, 2, 2])
  }

  @Test(arguments: StageBench.Kind.allCases)
  func `a batch that has waited for too long is begun anew`(in kind: StageBench.Kind) throws {
    let bench = try bench(kind, games: 8)
    let ages = Mutex<[Int64]>([])
    beforeEachWrite(of: bench) { [unowned bench] number in
      let begun = (try? bench.pending())?.compactMap { $0.attempts.last?.startedAt }.max()
      ages.withLock { $0.append(bench.now.milliseconds - (begun?.milliseconds ?? 0)) }
      if number == 2 { bench.wait(.seconds(30)) }
    }
    let report = try bench.run([PostCreatedStage()], options: options)
    #expect(report.classes["Game"]?.created == 8)
    #expect(ages.withLock(\.self) == [0, 0, 0, 0])
  }

  @Test(arguments: StageBench.Kind.allCases)
  func `batches that have not left when a sync ends are as they were`(
    in kind: StageBench.Kind
  ) throws {
    let bench = try bench(kind, games: 8)
    let cancellation = CancellationSignal()
    beforeEachWrite(of: bench) { if $0 == 2 { cancellation.cancel() } }
    #expect(throws: SyncError.self) {
      try bench.run([PostCreatedStage()], options: options, cancellation: cancellation)
    }
    let pending = try bench.pending()
    #expect(try bench.server.rows(of: "Game").count + pending.count == 8)
    #expect(pending.allSatisfy { $0.state == .ready && $0.attempts.isEmpty })
  }

  @Test(arguments: StageBench.Kind.allCases)
  func `a row that is deleted while its batch waits leaves nothing behind`(
    in kind: StageBench.Kind
  ) throws {
    let bench = try bench(kind, games: 8)
    let keys = try bench.store.read { try $0.records(of: "Game") }.map(\.reference)
    let cancellation = CancellationSignal()
    beforeEachWrite(of: bench) { [unowned bench] number in
      guard number == 2 else { return }
      try? bench.store.write { for key in keys { try $0.delete(key) } }
      cancellation.cancel()
    }
    #expect(throws: SyncError.self) {
      try bench.run([PostCreatedStage()], options: options, cancellation: cancellation)
    }
    beforeEachWrite(of: bench) { _ in }
    try bench.sync()
    try bench.sync()
    #expect(try bench.server.rows(of: "Game").isEmpty)
    #expect(try bench.pending().isEmpty)
  }

  @Test(arguments: StageBench.Kind.allCases)
  func `an edit during the upload is sent, whatever was read of its row before`(
    in kind: StageBench.Kind
  ) throws {
    let bench = try bench(kind, games: 8)
    let keys = try bench.store.read { try $0.records(of: "Game") }.map(\.reference)
    beforeEachWrite(of: bench) { [unowned bench] number in
      guard number == 2 else { return }
      // The first is answered and not recorded, the second leaves, and the last is not begun.
      try? bench.store.write { db in
        for place in [0, 2, 7] {
          try db.update("Game", keys[place].localID, ["title": "edited", "score": 100])
        }
      }
    }
    try bench.run([PostCreatedStage()], options: options)
    let rows = try bench.server.rows(of: "Game").values
    #expect(rows.count { $0["title"]?.string == "edited" && $0["score"]?.number == 100 } == 1)
    let pending = try bench.pending()
    #expect(pending.map(\.localID) == [keys[0].localID, keys[2].localID])
    #expect(pending.allSatisfy { $0.kind == .update && $0.changed == ["title", "score"] })
    #expect(pending.map(\.base) == [["score": 0, "title": .null], ["score": 2, "title": .null]])
  }

  @Test(arguments: StageBench.Kind.allCases)
  func `a row deleted before its answer is recorded leaves a delete`(
    in kind: StageBench.Kind
  ) throws {
    let bench = try bench(kind, games: 8)
    let first = try #require(try bench.store.read { try $0.records(of: "Game") }.first)
    beforeEachWrite(of: bench) { [unowned bench] number in
      guard number == 2 else { return }
      try? bench.store.write { try $0.delete(first.reference) }
    }
    try bench.run([PostCreatedStage()], options: options)
    #expect(try bench.server.rows(of: "Game").count == 8)
    #expect(try bench.pending().map(\.kind) == [.delete])
  }

  @Test(arguments: [2, 3])
  func `a process that ends before an answer is recorded creates nothing twice`(
    at write: Int
  ) throws {
    let bench = try bench(.sqlite, games: 8)
    // The request finds a store that takes no more writes; of two batches that were begun, one may not have left.
    let store = MortalStore(bench.store)
    beforeEachWrite(of: bench) { [unowned store] in if $0 == write { store.die() } }
    #expect(throws: SyncError.self) {
      try bench.run([PostCreatedStage()], options: options, store: store)
    }
    bench.network.setFault(nil)
    #expect(try bench.pending().count { $0.state == .sending } == 4)
    try bench.run([ResolveStage(), PostCreatedStage()], options: options)
    #expect(try bench.server.rows(of: "Game").count == 8)
    #expect(try bench.pending().filter { $0.state != .confirming }.isEmpty)
  }
}
