// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import FerryTestSupport
import Testing

@testable import FerrySQLite

/// Rows that a trigger of another program removes while the engine writes.
@Suite(.timeLimit(.minutes(1)))
struct TriggeredRemovalTests {
  private static let schema = SchemaChangeTests.game(Field("title", .text))

  @Test(arguments: [false, true])
  func `a row comes back, also where its removal is folded before the end`(isFolded: Bool) throws {
    let world = try TestWorld(schema: Self.schema)
    let store = world.store
    let rows = ["s1", "s2"].map { id in
      ImportRow(
        objectID: id, createdAt: Timestamp(milliseconds: 1_700_000_000_000),
        version: ServerVersion(rawValue: "2026-03-01T18:30:00.250Z"), acl: .null, values: ["a"])
    }
    let ids = try store.sync(.full) { try $0.apply(rows, to: "Game") }
    _ = try world.foreign(
      "CREATE TRIGGER app AFTER UPDATE ON Game WHEN new.objectId = 's1'"
        + " BEGIN DELETE FROM Game WHERE objectId = 's2'; END")
    let removals = try store.sync(.full) { transaction in
      try transaction.set(["title": "b"], of: "Game", localID: ids[0])
      if isFolded { try transaction.fold() }
      return try transaction.putBackRowsRemovedByTriggers()
    }
    #expect(removals.putBack.map(\.objectID) == ["s2"])
    #expect(try store.read { try $0.records(of: "Game") }.map(\.objectID) == ["s1", "s2"])
    #expect(try store.syncRead { try $0.acknowledgedCount(of: "Game") } == 2)
  }
}
