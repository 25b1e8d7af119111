// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import FerryTestSupport
import Randomness
import Testing

@testable import FerrySQLite

/// Another program reads the views with plain SQL, without a function of Ferry's.
@Suite(.timeLimit(.minutes(3)))
struct ReadableViewTests {
  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `after each step of a random world the views say what the store lists`(seed: UInt64) throws {
    var edits = PlainEdits(world: try TestWorld(), seed: seed)
    for step in 0..<40 {
      try edits.make()
      try edits.check("seed \(seed), step \(step)")
    }
  }

  @Test func `an edit that leads back counts until a sync folds it`() throws {
    let world = try TestWorld()
    try world.importGame("one", title: "A")
    try world.foreign("UPDATE Game SET title = 'B'", "UPDATE Game SET title = 'A'")
    #expect(try world.foreign("SELECT kind, state FROM Game_status") == [["update", "ready"]])
    try world.store.sync(.full) { try $0.fold() }
    #expect(try world.foreign("SELECT kind, state FROM Game_status") == [])
  }

  @Test func `reasons name what a change waits for`() throws {
    let world = try TestWorld()
    let ids = try ["a", "b", "c"].map { try world.importGame($0) }
    try world.foreign("UPDATE Game SET title = 'B'")
    try world.store.sync(.full) { transaction throws(StoreError) in
      try transaction.fold()
      for var entry in try transaction.outbox(of: "Game") {
        switch entry.localID {
        case ids[0]:
          _ = entry.wait(in: .parked(Refusal(reason: .refused, code: 142, message: "Bad.")))
        case ids[1]:
          let league = Waiting(className: "League", localID: LocalID(rawValue: 7), field: "league")
          _ = entry.wait(in: .blocked(by: .record(league)))
        default: entry.rule = "the trigger \"keep\""
        }
        try transaction.put(entry)
      }
      try transaction.setBookkeeping(
        ClassNote.key(of: "Game"), to: "{\"\(ClassNote.needsLogin)\":true}")
    }
    try world.foreign("INSERT INTO Game (title) VALUES ('new')")
    #expect(
      try world.foreign("SELECT objectId, state, reason FROM Game_status ORDER BY localId") == [
        ["a", "parked", "Bad."], ["b", "blocked", "record: League 7"],
        ["c", "blocked", "the trigger \"keep\""], ["", "blocked", "login"],
      ])
    #expect(
      try world.foreign("SELECT serverCode FROM ferry_pending WHERE localId = 1") == [["142"]])
  }

  @Test func `conflict records are read field by field`() throws {
    let world = try TestWorld()
    let row = RecordReference(className: "Game", localID: LocalID(rawValue: 3), objectID: "one")
    try world.store.sync(.full) { transaction throws(StoreError) in
      try transaction.recordConflict(
        ConflictRecord(
          id: nil, time: Timestamp(milliseconds: 0), record: row, reason: .remoteWon,
          lost: ["title": "mine", "details": ["a": 1]], kept: ["title": "theirs"],
          isWholeRecord: false, acl: .null, isRestored: false))
    }
    #expect(
      try world.foreign(
        "SELECT class, localId, objectId, reason, field, lost, kept, isRestored FROM ferry_conflicts ORDER BY field"
      ) == [
        ["Game", "3", "one", "remoteWon", "details", "{\"a\":1}", "", "0"],
        ["Game", "3", "one", "remoteWon", "title", "mine", "theirs", "0"],
      ])
  }

  @Test func `the state of one row is found without a scan of a table`() throws {
    let world = try TestWorld()
    let plan = try world.foreign("EXPLAIN QUERY PLAN SELECT * FROM Game_status WHERE localId = 1")
      .compactMap(\.last)
    #expect(plan.contains { $0.contains("SEARCH ferry_outbox") && $0.contains("localId=?") })
    for step in plan {
      #expect(!step.hasPrefix("SCAN ferry_outbox") && !step.hasPrefix("SCAN ferry_log"), "\(step)")
      #expect(!step.contains("SCAN Game"), "\(step)")
    }
  }

  // MARK: Names and installation

  @Test func `a class whose view's name is taken has it under a name of Ferry's`() throws {
    let world = try TestWorld()
    try world.foreign("DROP VIEW Game_status", "CREATE TABLE game_Status (own TEXT)")
    let store = try world.reopened()
    _ = try store.write { try $0.insert("Game", ["title": "new"]) }
    #expect(try world.foreign("SELECT kind FROM ferry_Game_status") == [["create"]])
    #expect(try world.foreign("SELECT * FROM Game_status") == [])
  }

  @Test func `a class may have the name of another one's view`() throws {
    let world = try TestWorld()
    let schema = Schema(TestWorld.schema.entities + [Entity("Game_status") { Field("own", .text) }])
    let store = try world.reopened(schema: schema)
    _ = try store.write { db throws in
      try db.insert("Game", ["title": "new"])
      return try db.insert("Game_status", ["own": "row"])
    }
    #expect(try world.foreign("SELECT own FROM Game_status") == [["row"]])
    #expect(try world.foreign("SELECT kind FROM ferry_Game_status") == [["create"]])
    #expect(try world.foreign("SELECT kind FROM Game_status_status") == [["create"]])
  }

  @Test func `views that are missing or changed are made again`() throws {
    let world = try TestWorld()
    func views() throws -> [[String]] {
      try world.foreign("SELECT name, sql FROM sqlite_schema WHERE type = 'view' ORDER BY name")
    }
    let before = try views()
    #expect(
      before.map(\.first) == ["Game_status", "League_status", "ferry_conflicts", "ferry_pending"])
    try world.foreign(
      "DROP VIEW Game_status", "DROP VIEW ferry_pending",
      "CREATE VIEW ferry_pending AS /* made by Ferry */ SELECT 1 AS class")
    _ = try world.reopened()
    #expect(try views() == before)
  }

  @Test func `a program may still build a table anew and remove a column`() throws {
    let world = try TestWorld()
    try world.foreign(
      "CREATE TABLE copy AS SELECT * FROM League", "DROP TABLE League",
      "ALTER TABLE copy RENAME TO League", "ALTER TABLE League DROP COLUMN games")
    #expect(try world.foreign("SELECT * FROM League_status") == [])
  }
}

/// Random edits by plain SQL, folds, and states of their changes.
///
/// No edit leads back to what the server has, and no record is inserted again.
private struct PlainEdits {
  let world: TestWorld
  private var generator: SeededGenerator
  private var stamp = 0

  init(world: TestWorld, seed: UInt64) {
    self.world = world
    generator = SeededGenerator(seed: seed)
  }

  mutating func make() throws {
    stamp += 1
    switch Int.random(in: 0..<8, using: &generator) {
    case 0, 1: try world.foreign("INSERT INTO Game (title) VALUES ('t\(stamp)')")
    case 2: try world.importGame("s\(stamp)")
    case 3, 4:
      try world.foreign(
        "UPDATE Game SET title = 't\(stamp)' WHERE localId % 3 = \(stamp % 3)",
        "UPDATE Game SET score = \(stamp) WHERE localId % 4 = \(stamp % 4)")
    case 5: try world.foreign("DELETE FROM Game WHERE localId % 7 = \(stamp % 7)")
    case 6: try world.store.sync(.full) { try $0.fold() }
    default: try move()
    }
  }

  /// Moves the changes on, as the engine does.
  private mutating func move() throws {
    var numbers = generator
    try world.store.sync(.full) { transaction throws(StoreError) in
      try transaction.fold()
      for var entry in try transaction.outbox(of: "Game") where entry.mayMove {
        switch Int.random(in: 0..<6, using: &numbers) {
        case 0, 1:
          entry.begin(
            Attempt(
              kind: entry.kind, sent: ["title": "x"], token: entry.foldedThrough,
              startedAt: .earliest))
          if Bool.random(using: &numbers) { entry.lose(timedOut: true) }
        case 2: _ = entry.wait(in: .parked(Refusal(reason: .refused, message: "No.")))
        case 3: _ = entry.wait(in: .blocked(by: .notFound))
        case 4: _ = entry.wait(in: .blocked(by: .confirmation("many")))
        default: entry.rule = "a rule"
        }
        try transaction.put(entry)
      }
    }
    generator = numbers
  }

  func check(_ comment: Comment) throws {
    let (entries, isFolded) = try world.store.syncRead { reader throws(StoreError) in
      (
        try reader.pendingEntries(of: nil),
        try reader.outbox(of: nil) == reader.pendingEntries(of: nil)
      )
    }
    let kinds: [OutboxEntry.Kind: String] = [.deleteAfterCreate: "delete-after-create"]
    let expected = entries.compactMap { entry in
      entry.unsentState(closedClasses: []).map { state in
        [
          entry.className, entry.localID.description, kinds[entry.kind] ?? entry.kind.rawValue,
          state.rawValue, "\(entry.attempts.count)", "\(entry.failures.count)",
        ] + (isFolded ? [entry.permanentID ?? ""] : [])
      }
    }
    let columns =
      "class, localId, kind, state, attempts, failures" + (isFolded ? ", ifnull(objectId, '')" : "")
    #expect(
      try world.foreign("SELECT \(columns) FROM ferry_pending ORDER BY class, localId") == expected,
      comment)
    #expect(
      try world.foreign("SELECT localId, kind, state FROM Game_status ORDER BY localId")
        == expected.map { Array($0[1...3]) }, comment)
  }
}
