// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import FerryTestSupport
import Testing

@testable import FerrySQLite

/// A trigger of the app that ignores changes: each call that changes nothing says so.
@Suite(.timeLimit(.minutes(1)))
struct IgnoringTriggerTests {
  @Test func `a call whose change a trigger ignores fails, and names the trigger`() throws {
    let world = try TestWorld()
    let game = try world.store.write { try $0.insert("Game", ["title": "kept"]) }
    try world.store.sync(.full) { transaction in
      try transaction.recordConflict(
        ConflictRecord(
          time: Timestamp(milliseconds: 0), record: game, reason: .remoteWon,
          lost: ["title": "mine"]))
    }
    let conflict = try #require(try world.store.read { try $0.conflicts() }.first?.id)
    for event in ["INSERT", "UPDATE", "DELETE"] {
      _ = try world.foreign(
        "CREATE TRIGGER ignore\(event) BEFORE \(event) ON Game BEGIN SELECT RAISE(IGNORE); END")
    }
    let store = world.store
    let calls: [(any StoreTransaction) throws -> Void] = [
      { _ = try $0.insert("Game", ["title": "new"]) },
      { try $0.update("Game", game.localID, ["title": "new"]) },
      { try $0.delete("Game", game.localID) },
      { _ = try $0.restore(conflict: conflict) },
    ]
    for call in calls {
      let error = expectStoreError(.database) { try store.write { try call($0) } }
      #expect(error?.message.contains("A trigger of another program ignored the change") == true)
    }
    #expect(try store.read { try $0.records(of: "Game") }.map { $0["title"] } == ["kept"])
    let missing = LocalID(rawValue: 99)
    expectStoreError(.noSuchRecord) {
      try store.write { try $0.update("Game", missing, ["title": "new"]) }
    }
    expectStoreError(.noSuchRecord) { try store.write { try $0.delete("Game", missing) } }
  }

  @Test func `a restore whose row a trigger removes fails, and can be repeated`() throws {
    let world = try TestWorld()
    let game = try world.store.write { try $0.insert("Game", ["title": "kept"]) }
    try world.store.sync(.full) { transaction in
      for (fields, isWhole) in [(["title": "mine"] as Fields, false), (["title": "gone"], true)] {
        let record =
          isWhole
          ? RecordReference(className: "Game", localID: LocalID(rawValue: 99), objectID: "gone")
          : game
        try transaction.recordConflict(
          ConflictRecord(
            time: Timestamp(milliseconds: 0), record: record, reason: .removed, lost: fields,
            isWholeRecord: isWhole))
      }
    }
    for event in ["INSERT", "UPDATE"] {
      _ = try world.foreign(
        "CREATE TRIGGER remove\(event) AFTER \(event) ON Game BEGIN"
          + " DELETE FROM Game WHERE localId = NEW.localId; END")
    }
    let store = world.store
    for conflict in try store.read({ try $0.conflicts() }) {
      let id = try #require(conflict.id)
      let error = expectStoreError(.database) { try store.write { try $0.restore(conflict: id) } }
      #expect(error?.message.contains("removed the row of Game") == true)
    }
    #expect(try store.read { try $0.conflicts() }.allSatisfy { !$0.isRestored })
    #expect(try store.read { try $0.records(of: "Game") }.map { $0["title"] } == ["kept"])
  }

  @Test func `a restore of a run leaves out the row that a trigger refuses, and goes on`() throws {
    let world = try TestWorld()
    let store = world.store
    let game = try store.write { try $0.insert("Game", ["title": "kept"]) }
    let gone = RecordReference(className: "Game", localID: LocalID(rawValue: 99), objectID: "gone")
    try store.sync(.full) { transaction in
      transaction.attributeConflicts(to: 1)
      for (record, title) in [(gone, "gone"), (game, "mine")] {
        try transaction.recordConflict(
          ConflictRecord(
            time: Timestamp(milliseconds: 0), record: record, reason: .removed,
            lost: ["title": .string(title)], isWholeRecord: record == gone))
      }
    }
    // The row leaves after a League came, and only a savepoint takes that back.
    _ = try world.foreign(
      "CREATE TRIGGER removeInsert AFTER INSERT ON Game BEGIN"
        + " INSERT INTO League (name) VALUES ('made'); DELETE FROM Game WHERE localId = NEW.localId; END"
    )
    let restorations = try store.write { try $0.restoreConflicts(ofRun: 1) }
    #expect(restorations.map(\.conflict.record) == [gone, game])
    #expect(throws: StoreError.self) { try restorations[0].result.get() }
    #expect(try restorations[1].result.get() == game)
    #expect(try store.read { try $0.conflicts() }.map(\.isRestored) == [true, false])
    #expect(try store.read { try $0.records(of: "Game") }.map { $0["title"] } == ["mine"])
    #expect(try store.read { try $0.count(of: "League") } == 0)
    _ = try world.foreign(
      "CREATE TRIGGER endAll BEFORE INSERT ON Game BEGIN SELECT RAISE(ROLLBACK, 'no'); END")
    expectStoreError(.database) { try store.write { try $0.restoreConflicts(ofRun: 1) } }
    #expect(try store.read { try $0.conflicts() }.map(\.isRestored) == [true, false])
  }
}
