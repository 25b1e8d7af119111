// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryStore
import FerryTestSupport
import Foundation
import LoopbackParse
import Randomness
import Testing

@testable import FerryEngine
@testable import FerryPlanning

/// Stages that run one by one, in runs of their own, do what they do together.
@Suite(.timeLimit(.minutes(5))) struct StagedRunsTests {
  /// Something that happens between two stages.
  private struct Incident: Stage {
    let name: StageName? = nil
    let happen: @Sendable () -> Void

    func run(in context: StageContext) throws(SyncError) { happen() }
  }

  /// How a class fails.
  enum Failure: CaseIterable, Sendable {
    case unreadableListing, damagedPage, unreadableVersions

    /// The stages of a sync, with the incident.
    fileprivate func stages(of bench: StageBench, failing name: String) -> [any Stage] {
      let whole: [any Stage] = [
        DownloadStage(), ImportStage(), DeleteMissingStage(), PostCreatedStage(),
        PutUpdatedStage(), DeleteDeletedStage(),
      ]
      let garble = Incident {
        bench.network.setFault { request in
          let isGarbled = request.path.hasSuffix("/batch") || request.path.hasSuffix("/\(name)")
          guard !request.isWrite, isGarbled else { return nil }
          return .answered(HTTPResponse(status: 200, body: Data("[]".utf8)))
        }
      }
      let mend = Incident { bench.network.setFault(nil) }
      switch self {
      case .unreadableListing: return [garble] + whole + [mend]
      case .damagedPage:
        let page = bench.staging.appending(path: "\(name)/page-000001.json")
        let damage = Incident { try? Data("[]".utf8).write(to: page) }
        return whole[..<1] + [damage] + whole[1...]
      case .unreadableVersions: return whole[..<4] + [garble, whole[4], mend] + whole[5...]
      }
    }
  }

  @Test(arguments: StageBench.Kind.allCases)
  func `a class that failed is left out by later runs until its next download`(
    _ kind: StageBench.Kind
  ) throws {
    let bench = try StageBench(kind)
    let games = try bench.createGames(3)
    try bench.sync()
    try bench.edit(games[0], ["score": 7])
    let stages = Failure.unreadableListing.stages(of: bench, failing: "Game")
    let failed = try bench.run(Array(stages[..<3]))
    #expect(failed.notices.map(\.code) == [.classFailed])
    bench.network.setFault(nil)
    try bench.run([PutUpdatedStage()])
    #expect(try bench.pending().count == 1)
    let sending = StageSelection.only(.deleteDeleted)
    let report = try bench.run([EarlierFailuresStage(), DeleteDeletedStage()], of: sending)
    #expect(report.notices.map(\.code) == [.classFailed])
    #expect(report.outcome == .partial)
    #expect(report.notices[0].message.contains("The server's answer cannot be read."))
    try bench.run([DownloadStage()])
    try bench.run([PutUpdatedStage()])
    #expect(try bench.pending().isEmpty)
    #expect(try bench.run([EarlierFailuresStage()], of: sending).notices.isEmpty)
  }

  @Test(arguments: 0..<8 as Range<UInt64>, StageBench.Kind.allCases)
  func `stages in runs of their own leave the world as one run does`(
    seed: UInt64, kind: StageBench.Kind
  ) throws {
    let failing = seed % 2 == 0 ? "Game" : "League"
    for failure in Failure.allCases {
      let together = try World(kind, seed: seed)
      let apart = try World(kind, seed: seed)
      try together.bench.run(failure.stages(of: together.bench, failing: failing))
      for stage in failure.stages(of: apart.bench, failing: failing) {
        try apart.bench.run([stage])
      }
      #expect(try apart.text() == together.text(), "\(failure) of \(failing)")
      #expect(try !together.bench.pending().isEmpty)
      try together.bench.sync()
      try apart.bench.sync()
      #expect(try apart.text() == together.text(), "\(failure) of \(failing), a sync later")
      #expect(try apart.bench.pending().isEmpty)
    }
  }

  /// A device with changes on both sides, the same for each seed.
  private struct World {
    let bench: StageBench

    init(_ kind: StageBench.Kind, seed: UInt64) throws {
      var random = SeededGenerator(seed: seed)
      bench = try StageBench(kind, .init(allowsCustomIDs: true))
      for (name, field) in [("Game", "title"), ("League", "name")] {
        let ids = try bench.server.create(
          name, (0..<12).map { ["objectId": .string("\(name)\($0)"), field: "old"] })
        #expect(ids.count == 12)
      }
      try bench.sync()
      for (name, field) in [("Game", "title"), ("League", "name")] {
        for number in 0..<12 {
          let id = "\(name)\(number)"
          // Each kind of change happens at least once.
          switch number < 4 ? number : Int.random(in: 0..<7, using: &random) {
          case 0: try change(name, id) { try $0.update($1, [field: .string("mine")]) }
          case 1: try change(name, id) { try $0.delete($1) }
          case 2: try bench.update(name, id, [field: "theirs"])
          case 3: try bench.store.write { try $0.insert(name, [field: .string("new \(id)")]) }
          case 4: try bench.delete(name, [id])
          default: break
          }
        }
      }
    }

    private func change(
      _ name: String, _ id: String,
      _ body: (any StoreTransaction, RecordReference) throws -> Void
    ) throws {
      try bench.store.write { db in
        guard let row = try db.record(of: name, objectID: id) else { return }
        try body(db, row.reference)
      }
    }

    /// Both sides and the outbox; without what is made up: new ids and stamps.
    func text() throws -> [String] {
      var lines: [String] = []
      for (name, field) in [("Game", "title"), ("League", "name")] {
        let remote = try bench.server.rows(of: name)
        lines += remote.values.map { "server \(name) \($0[field]?.string ?? "")" }
        let local = try bench.store.read { try $0.records(of: name) }
        lines += local.map { "device \(name) \($0[field])" }
      }
      lines += try bench.pending().map {
        "unsent \($0.className) \($0.kind) \($0.changed.sorted()) \($0.state)"
      }
      return lines.sorted()
    }
  }
}
