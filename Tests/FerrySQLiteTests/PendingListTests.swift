// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import FerryTestSupport
import Randomness
import Testing

@testable import FerrySQLite

/// Counts and lists tell the unsent changes that folding finds, whatever other programs write by SQL.
@Suite struct PendingListTests {
  /// A world in which the delete of a record is folded and waits; the local id is free.
  private func worldWithDelete(of objectID: String) throws -> (TestWorld, LocalID) {
    let world = try TestWorld()
    let id = try world.importGame(objectID)
    try world.store.write { try $0.delete("Game", id) }
    try world.store.sync(.full) { try $0.fold() }
    return (world, id)
  }

  @Test func `a delete is told while another record comes and goes under its local id`() throws {
    let (world, id) = try worldWithDelete(of: "d")
    _ = try world.foreign(
      "INSERT INTO Game (localId, objectId, title) VALUES (\(id.rawValue), 'x', 'X')",
      "DELETE FROM Game WHERE objectId = 'x'")
    let key = RecordKey(className: "Game", localID: id)
    #expect(try world.store.syncRead { try $0.pendingEntries(of: nil) }.map(\.objectID) == ["d"])
    #expect(try world.store.syncRead { try $0.pendingEntry(of: key) }?.kind == .delete)
    #expect(try world.store.write { try $0.discardChange(of: "Game", localID: id) })
    #expect(try world.store.read { try $0.records(of: "Game") }.map(\.objectID) == ["d"])
  }

  @Test func `a deleted record that comes back under another local id is told once`() throws {
    let (world, id) = try worldWithDelete(of: "a")
    _ = try world.foreign(
      "INSERT INTO Game (localId, objectId, title) VALUES (\(id.rawValue), 'd', 'D')",
      "INSERT INTO Game (objectId, title) VALUES ('a', 'back')")
    let listed = try world.store.syncRead { try $0.pendingEntries(of: nil) }
    #expect(listed.map(Self.text).sorted() == ["create d", "update a"])
    #expect(try world.store.syncRead { try $0.pendingCounts() } == ["Game": 2])
  }

  private static let triggers = [
    nil, nil,
    "CREATE TRIGGER again AFTER DELETE ON Game WHEN OLD.title = 'T1' BEGIN "
      + "INSERT INTO Game (objectId, title) VALUES (OLD.objectId, 'back'); END",
    "CREATE TRIGGER writes AFTER INSERT ON Game WHEN NEW.title = 'T1' BEGIN "
      + "UPDATE Game SET title = 'written' WHERE localId = NEW.localId; END",
  ]

  @Test(arguments: 1...24)
  func `counts and lists tell what folding makes of SQL of other programs`(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let world = try TestWorld()
    if let trigger = Self.triggers[Int(seed) % Self.triggers.count] {
      _ = try world.foreign(trigger)
    }
    for step in 0..<60 {
      try act(in: world, &generator)
      let (counts, listed) = try world.store.syncRead { db throws(StoreError) in
        (try db.pendingCounts(), try db.pendingEntries(of: nil).filter(\.isUnsent).map(Self.text))
      }
      let folded = try self.folded(world)
      #expect(listed.sorted() == folded.sorted(), "seed \(seed), step \(step)")
      #expect(counts["Game"] ?? 0 == folded.count, "seed \(seed), step \(step)")
    }
  }

  private static func text(_ entry: OutboxEntry) -> String { "\(entry.kind) \(entry.objectID)" }

  /// The unsent entries as folding leaves them; the store stays as it is.
  private func folded(_ world: TestWorld) throws -> [String] {
    var entries: [String] = []
    _ = try? world.store.sync(.full) { db throws(StoreError) in
      try db.fold()
      entries = try db.outbox(of: "Game").filter(\.isUnsent).map(Self.text)
      throw StoreError(.database, "The test takes this fold back.")
    }
    return entries
  }

  private func act(in world: TestWorld, _ generator: inout SeededGenerator) throws {
    let id = ["a", "b", "c", "d"].randomElement(using: &generator) ?? ""
    let local = Int.random(in: 1...6, using: &generator)
    let title = "T\(Int.random(in: 0...2, using: &generator))"
    let values = "Game (objectId, title) VALUES ('\(id)', '\(title)')"
    let numbered = "Game (localId, objectId, title) VALUES (\(local), '\(id)', '\(title)')"
    let sql: String
    switch Int.random(in: 0..<11, using: &generator) {
    case 0: sql = "INSERT OR REPLACE INTO \(values)"
    case 1: sql = "INSERT OR REPLACE INTO \(numbered)"
    case 2: sql = "INSERT OR IGNORE INTO \(numbered)"
    case 3:
      sql = "INSERT INTO \(values) ON CONFLICT (objectId) DO UPDATE SET title = excluded.title"
    case 4, 5: sql = "DELETE FROM Game WHERE objectId = '\(id)'"
    case 6, 7: sql = "UPDATE Game SET title = '\(title)' WHERE localId = \(local)"
    case 8: sql = "INSERT INTO Game (title) VALUES ('\(title)')"
    case 9: return try world.store.sync(.full) { try $0.fold() }
    default:
      try world.store.sync(.full) { try $0.fold() }
      let isKnown = try world.store.syncRead { db throws(StoreError) in
        let entries = try db.outboxEntries(of: "Game", objectIDs: [id])
        return try db.record(of: "Game", objectID: id) != nil || !entries.isEmpty
      }
      if !isKnown { try world.importGame(id) }
      return
    }
    // A statement that the table refuses changes nothing.
    _ = try? world.store.writeSQL { try $0.execute(sql) }
  }
}
