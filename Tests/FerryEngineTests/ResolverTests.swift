// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryModel
import FerryStore
import FerryTestSupport
import LoopbackParse
import Synchronization
import Testing

@testable import FerryEngine
@testable import FerryPlanning

/// An app's resolver in a sync, on both stores.
@Suite(.timeLimit(.minutes(1))) struct ResolverTests {
  private struct Failure: Error {}

  /// A game whose title and score both sides changed.
  private static func conflict(_ kind: StageBench.Kind) throws -> (StageBench, id: String) {
    let bench = try StageBench(kind)
    let id = try bench.create("Game", ["title": "base", "score": 0])
    try bench.pull()
    try bench.edit(id, ["title": "local", "score": 1])
    try bench.update("Game", id, ["title": "remote", "score": 2])
    return (bench, id)
  }

  @Test(arguments: StageBench.Kind.allCases)
  func `a resolver of records decides and its values are sent`(_ kind: StageBench.Kind) throws {
    let (bench, id) = try Self.conflict(kind)
    let report = try bench.sync(
      conflicts: ConflictPolicies(
        .resolvingRecords { ["title": $0.local["title"] ?? .null, "score": 3] }))
    #expect(report.notices.isEmpty)
    let row = try bench.game(id)
    #expect(row?["title"] == "local" && row?["score"] == 3)
    let remote = try bench.server.row("Game", id)
    #expect(remote?["title"]?.string == "local" && remote?["score"]?.number == 3)
    #expect(try bench.conflicts().allSatisfy { $0.reason == .resolved })
    #expect(try bench.pending().isEmpty)
  }

  @Test(arguments: StageBench.Kind.allCases)
  func `a resolver that throws leaves the server's values and a notice`(
    _ kind: StageBench.Kind
  ) throws {
    let (bench, id) = try Self.conflict(kind)
    let report = try bench.sync(
      conflicts: ConflictPolicies(.resolvingRecords { _ in throw Failure() }))
    let notice = try #require(report.notices.first)
    #expect(notice.code == .resolverFailed && notice.objectID == id)
    #expect(notice.message.contains("It threw an error: Failure()"))
    let row = try #require(try bench.game(id))
    #expect(row["title"] == "remote" && row["score"] == 2)
    let record = try #require(try bench.conflicts().first)
    #expect(record.reason == .resolverFailed && record.lost == ["title": "local", "score": 1])
    #expect(try bench.server.row("Game", id)?["title"]?.string == "remote")
    #expect(try bench.pending().isEmpty)
    // Nothing is lost: the app can bring the local values back.
    try bench.store.write { db in
      _ = try db.restore(conflict: #require(record.id))
    }
    try bench.sync()
    #expect(try bench.server.row("Game", id)?["title"]?.string == "local")
  }

  @Test(arguments: StageBench.Kind.allCases)
  func `a resolver reads the store and cannot write to it`(_ kind: StageBench.Kind) throws {
    let (bench, id) = try Self.conflict(kind)
    let store = bench.store
    let codes = Mutex<[StoreError.Code]>([])
    let report = try bench.sync(
      conflicts: ConflictPolicies(
        .resolvingFields { conflict in
          let row = try store.read { try $0.record(of: "Game", objectID: id) }
          #expect(row?["title"] == "local")
          do {
            try store.write { _ = try $0.insert("Game", ["title": "by the resolver"]) }
          } catch let error as StoreError {
            codes.withLock { $0.append(error.code) }
            throw error
          }
          return conflict.local
        }))
    #expect(codes.withLock(\.self) == [.database, .database])
    #expect(report.notices.map(\.code) == [.resolverFailed])
    #expect(try bench.games().keys.sorted() == [id])
    #expect(try bench.game(id)?["title"] == "remote")
    // The store works as before.
    try bench.edit(id, ["title": "later"])
    try bench.sync()
    #expect(try bench.server.row("Game", id)?["title"]?.string == "later")
  }

  @Test(arguments: StageBench.Kind.allCases)
  func `a resolver can write to the store during a plan, which works on a copy`(
    _ kind: StageBench.Kind
  ) throws {
    let (bench, id) = try Self.conflict(kind)
    let store = bench.store
    let copy = try store.clone()
    defer { copy.discardClone() }
    let report = try bench.run(
      [DownloadStage(), ImportStage()],
      conflicts: ConflictPolicies(
        .resolvingRecords { conflict in
          try store.write { _ = try $0.insert("League", ["name": "by the resolver"]) }
          return conflict.local.only(conflict.fields)
        }), store: copy)
    #expect(report.notices.isEmpty && report.classes["Game"]?.merged == 1)
    #expect(try bench.game(id)?["title"] == "local")
    #expect(try store.read { try $0.count(of: "League") } == 1)
    #expect(try copy.read { try $0.count(of: "League") } == 0)
  }
}
