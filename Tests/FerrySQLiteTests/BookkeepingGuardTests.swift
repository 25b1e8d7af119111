// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import FerryTestSupport
import Testing

@testable import FerrySQLite

/// Ferry's own tables against programs that write to them by hand.
@Suite(.timeLimit(.minutes(1)))
struct BookkeepingGuardTests {
  /// A world with something in most of Ferry's tables.
  private func filledWorld() throws -> TestWorld {
    let world = try TestWorld()
    let game = try world.importGame("one")
    try world.foreign("UPDATE Game SET title = 'Edited'", "INSERT INTO League (name) VALUES ('a')")
    try world.store.sync(.full) { transaction in
      try transaction.fold()
      try transaction.remember(LocalID(rawValue: 9), objectID: "gone", of: "Game")
      try transaction.setBookkeeping("key", to: "{}")
      try transaction.quarantine(
        QuarantinedRecord(
          className: "Game", objectID: "bad", version: nil, raw: "{}", reason: "Bad.",
          schemaFingerprint: ""))
      try transaction.recordConflict(
        ConflictRecord(
          time: .earliest,
          record: RecordReference(className: "Game", localID: game, objectID: "one"),
          reason: .remoteWon, lost: ["title": "Lost"]))
    }
    try world.store.write { try $0.setToken(.start, ofReader: "list") }
    return world
  }

  @Test(arguments: [
    "DELETE FROM ferry_outbox", "UPDATE ferry_outbox SET state = 'ready'",
    "INSERT INTO ferry_outbox SELECT class, 99, 'x', NULL, state, entry, checksum FROM ferry_outbox",
    "INSERT OR REPLACE INTO ferry_outbox SELECT * FROM ferry_outbox", "DELETE FROM ferry_log",
    "UPDATE ferry_log SET author = 1", "DELETE FROM ferry_log_time", "DELETE FROM ferry_class",
    "UPDATE ferry_class SET acknowledged = 0", "DELETE FROM ferry_field", "DELETE FROM ferry_meta",
    "UPDATE ferry_meta SET value = 99", "DELETE FROM ferry_identity", "DELETE FROM ferry_conflict",
    "DELETE FROM ferry_quarantine", "DELETE FROM ferry_reader", "DELETE FROM ferry_bookkeeping",
    "UPDATE ferry_bookkeeping SET json = '1'",
    "INSERT INTO ferry_alias (old, new) VALUES ('one', 'two')",
    "INSERT INTO ferry_reference VALUES ('one', 'Game', 1)",
  ])
  func `a program that writes to a table of Ferry's is refused with a sentence`(
    statement: String
  ) throws {
    let world = try filledWorld()
    let before = try world.foreign("SELECT * FROM ferry_outbox", "SELECT * FROM ferry_meta")
    let error = #expect(throws: ForeignProgram.Failure.self) { try world.foreign(statement) }
    #expect(error?.description.contains("Nothing was changed.") == true, "\(error as Any)")
    #expect(
      try world.foreign("SELECT * FROM ferry_outbox", "SELECT * FROM ferry_meta") == before)
  }

  @Test func `Ferry's own writes pass, and leave the guard in place`() throws {
    let world = try filledWorld()
    let entry = try #require(try world.store.read { try $0.conflicts().first?.id })
    _ = try world.store.write { try $0.restore(conflict: entry) }
    #expect(try world.store.read { try $0.records(of: "Game") }.first?["title"] == "Lost")
    #expect(try world.log().count == 1, "what is restored is an edit")
    #expect(try world.foreign("SELECT count(*) FROM ferry_author") == [["0"]])
    #expect(throws: ForeignProgram.Failure.self) { try world.foreign("DELETE FROM ferry_outbox") }
  }

  @Test func `a program cannot pretend to be Ferry`() throws {
    let world = try filledWorld()
    let error = #expect(throws: ForeignProgram.Failure.self) {
      try world.foreign("INSERT INTO ferry_author VALUES (1)", "DELETE FROM Game")
    }
    #expect(error?.description.contains("only_Ferry_writes_to_ferry_author") == true)
    #expect(try world.foreign("SELECT count(*) FROM ferry_author") == [["0"]])
  }

  @Test func `a guard that was removed is made again`() throws {
    let world = try filledWorld()
    let triggers = try world.foreign(
      "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'ferry_outbox'")
    for trigger in triggers { try world.foreign("DROP TRIGGER \(trigger[0])") }
    _ = try world.reopened()
    #expect(throws: ForeignProgram.Failure.self) { try world.foreign("DELETE FROM ferry_outbox") }
  }

  /// A row with an access control list that comes back by a restore, an undo, or a kept edit of a snapshot.
  @MainActor private static let returns: [(String, @MainActor (TestWorld) throws -> Void)] = [
    (
      "restore",
      { world in
        let gone = RecordReference(
          className: "Game", localID: LocalID(rawValue: 99), objectID: "gone")
        try world.store.sync(.full) { transaction in
          var conflict = ConflictRecord(
            time: .earliest, record: gone, reason: .removed, lost: ["title": "Final"],
            isWholeRecord: true)
          conflict.acl = ["*": ["read": true]]
          try transaction.recordConflict(conflict)
        }
        try world.addTriggers()
        let conflict = try #require(try world.store.read { try $0.conflicts() }.first?.id)
        _ = try world.store.write { try $0.restore(conflict: conflict) }
      }
    ),
    (
      "undo",
      { world in
        let game = try world.importGame("one")
        try world.store.write { try $0.delete("Game", game) }
        try world.addTriggers()
        #expect(try world.store.undo()?.undone.count == 1)
      }
    ),
    (
      "snapshot",
      { world in
        let game = try world.importGame("one")
        let snapshot = try world.store.snapshot(of: Query("Game"))
        try snapshot.update(game, ["title": "mine"])
        try world.store.sync(.full) { try $0.remove([game], from: "Game") }
        try world.addTriggers()
        try snapshot.merge()
        #expect(snapshot.resolve(try #require(snapshot.conflicts.first), keeping: .edit))
        try snapshot.save()
      }
    ),
  ]

  @MainActor @Test(arguments: ["restore", "undo", "snapshot"])
  func `what the app's triggers write as a row comes back with its list is the app's`(
    name: String
  ) throws {
    let world = try TestWorld()
    let league = try world.store.sync(.full) { transaction in
      try transaction.apply(
        [
          ImportRow(
            objectID: "north", createdAt: .earliest, version: ServerVersion(rawValue: "1"),
            acl: .null, values: ["North", .null])
        ], to: "League")
    }.first
    try Self.returns.first { $0.0 == name }?.1(world)
    let game = try #require(try world.store.read { try $0.records(of: "Game") }.first)
    #expect(game.acl == ["*": ["read": true]])
    let newest = try world.store.read {
      try $0.transactions(before: nil, matching: HistoryFilter(), limit: 1)
    }
    #expect(newest.first?.authors == [.app])
    try world.store.sync(.full) { try $0.fold() }
    let pending = try world.store.syncRead { try $0.pendingEntries(of: "League") }
    #expect(pending.map(\.kind) == [.update, .create])
    #expect(pending.first?.localID == league && pending.first?.base == ["name": "North"])
  }
}

extension TestWorld {
  /// Adds triggers of the app that edit leagues when a game gets an access control list.
  fileprivate func addTriggers() throws {
    try foreign(
      "CREATE TRIGGER listed AFTER INSERT ON Game WHEN NEW.acl IS NOT NULL BEGIN UPDATE League SET name = 'South';"
        + " INSERT INTO League (name) VALUES ('East'); END")
  }
}
