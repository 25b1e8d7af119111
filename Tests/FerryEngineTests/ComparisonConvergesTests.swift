// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryModel
import FerryStore
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

@testable import FerryEngine
@testable import FerryPlanning

/// S26: the server's count differs from the local one for a known reason.
///
/// No further search runs for it, and a sync without changes stays one request.
@Suite(.timeLimit(.minutes(3))) struct ComparisonConvergesTests {
  enum Reason: String, CaseIterable, Sendable {
    case unsentDeletion, quarantined, quarantinedWithoutDate, quarantinedOverARow, held
    case unknownCreate, unknownCreateThatArrived, unknownDeletion
  }

  @Test(arguments: Reason.allCases, StageBench.Kind.allCases)
  func `a sync stays one request when the counts differ for a known reason`(
    _ reason: Reason, _ kind: StageBench.Kind
  ) throws {
    let clock = ManualClock()
    var configuration = LoopbackConfiguration()
    configuration.now = { clock.now }
    configuration.allowCustomObjectId = true
    configuration.triggers["Game"] = LoopbackTriggers(afterFind: { rows in
      rows.map { row in
        guard row["title"]?.string == "dateless", var fields = row.object else { return row }
        fields["createdAt"] = nil
        return .object(fields)
      }
    })
    let bench = try StageBench(kind, double: configuration)
    let ids = try bench.createGames(40)
    clock.advance(seconds: 600)
    try bench.pull()
    try bring(reason, about: bench, ids)
    clock.advance(seconds: 600)
    // This finds every difference that there is.
    try bench.pull()
    clock.advance(seconds: 600)
    bench.network.forget()
    let report = try bench.pull()
    #expect(bench.network.exchanges.count == 1, "\(bench.network.exchanges)")
    #expect(report.classes["Game"]?.imported == 0 && report.classes["Game"]?.removed == 0)
    // A record that is really gone is found all the same.
    try bench.delete("Game", [ids[39]])
    var options = SyncOptions()
    options.removalLimit = RemovalLimit(share: 1, count: 40)
    try bench.pull(options: options)
    #expect(try bench.game(ids[39]) == nil)
  }

  private func bring(_ reason: Reason, about bench: StageBench, _ ids: [String]) throws {
    switch reason {
    case .unsentDeletion:
      try deleteHere(ids[4], bench)
    case .unknownDeletion:
      try deleteHere(ids[4], bench)
      try bench.store.sync(.full) { transaction in
        try transaction.fold()
        for var entry in try transaction.outbox(of: nil) {
          entry.enter(.inDoubt)
          try transaction.put(entry)
        }
      }
    case .quarantined:
      try bench.create("Game", ["title": "poison", "score": 1.5])
    case .quarantinedWithoutDate:
      try bench.create("Game", ["title": "dateless", "score": 1])
    case .quarantinedOverARow:
      try bench.update("Game", ids[4], ["score": 1.5])
    case .held:
      try bench.delete("Game", ids[..<25])
    case .unknownCreate:
      _ = try unknownCreate(bench)
    case .unknownCreateThatArrived:
      let id = try unknownCreate(bench)
      try bench.create("Game", ["objectId": .string(id), "title": "mine"])
    }
  }

  private func deleteHere(_ id: String, _ bench: StageBench) throws {
    let game = try #require(try bench.game(id))
    try bench.store.write { try $0.delete(game.reference) }
  }

  /// Makes a create that was sent and not answered; these syncs leave out the resolve stage.
  private func unknownCreate(_ bench: StageBench) throws -> String {
    _ = try bench.store.write { try $0.insert("Game", ["title": "mine"]) }
    return try bench.store.sync(.full) { transaction in
      try transaction.fold()
      var entry = try #require(try transaction.outbox(of: nil).first)
      entry.enter(.inDoubt)
      try transaction.put(entry)
      return entry.objectID
    }
  }
}
