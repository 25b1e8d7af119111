// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerrySQLite
import FerryStore
import FerryTestSupport
import Foundation
import Testing

/// Unsent changes that are taken back in a store that several programs use.
@Suite(.timeLimit(.minutes(1)))
struct DiscardTests {
  private let folder: TemporaryDirectory
  private var url: URL { folder.url.appending(path: "store.sqlite") }
  private let wide = Schema {
    Entity("Game") {
      Field("title", .text); Field("score", .text, default: "0"); Field("note", .text)
    }
  }
  private let narrow = Schema { Entity("Game") { Field("title", .text) } }

  init() throws { folder = try TemporaryDirectory() }

  /// A store with a row that the server has.
  private func storeWithGame() throws -> (SQLiteStore, Record) {
    let store = try SQLiteStore(at: url, schema: wide)
    let row = ImportRow(
      objectID: "one", createdAt: Timestamp(milliseconds: 0), version: nil, acl: .null,
      values: ["Final", .null, "n"])
    _ = try store.sync(.full) { try $0.apply([row], to: "Game") }
    return (store, try #require(try store.read { try $0.records(of: "Game") }.first))
  }

  @Test(arguments: [false, true])
  func `a delete that a program with fewer fields folded comes back whole`(
    isDeletedAgain: Bool
  ) throws {
    let (store, game) = try storeWithGame()
    try store.write { try $0.update(game.reference, ["note": "mine"]) }
    let other = try SQLiteStore(at: url, schema: narrow)
    try store.write { try $0.delete(game.reference) }
    try other.sync(.full) { try $0.fold() }
    if isDeletedAgain {
      let again = try store.write {
        try $0.insert("Game", ["title": "Final", "note": "other"], objectID: game.objectID)
      }
      try store.write { try $0.delete(again) }
    }
    let change = try #require(try store.syncRead { try $0.pendingEntries(of: nil) }.first)
    #expect(change.kind == .delete)
    #expect(
      try store.write {
        try $0.discardChange(of: change.className, localID: change.localID)
      })
    for isFolded in [false, true] {
      if isFolded { try store.sync(.full) { try $0.fold() } }
      #expect(try store.syncRead { try $0.pendingEntries(of: nil) } == [], "\(isFolded)")
      let row = try #require(try store.read { try $0.records(of: "Game") }.first)
      #expect(row.fields == game.fields, "\(isFolded)")
    }
  }

  @Test func `a rule of the database that refuses a value leaves everything as it was`() throws {
    let (store, game) = try storeWithGame()
    try store.write { db in
      try db.update(game.reference, ["title": "mine"])
      _ = try db.insert("Game", ["title": "new"])
    }
    _ = try ForeignProgram(path: url.path(percentEncoded: false)).run([
      "CREATE TRIGGER keep BEFORE UPDATE ON Game WHEN NEW.title = 'Final'"
        + " BEGIN SELECT RAISE(ABORT, 'no'); END"
    ])
    let before = try store.read { try $0.records(of: "Game") }
    #expect(throws: StoreError.self) { try store.write { try $0.discardChanges(of: nil) } }
    #expect(try store.read { try $0.records(of: "Game") } == before)
    #expect(try store.syncRead { try $0.pendingCounts() } == ["Game": 2])
  }

  @Test func `a discarded create leaves nothing for a row of another program under its local id`()
    throws
  {
    let (store, _) = try storeWithGame()
    let new = try store.write { try $0.insert("Game", ["title": "new"]) }
    #expect(try store.write { try $0.discardChange(of: "Game", localID: new.localID) })
    let next = try store.write { try $0.insert("Game", ["title": "next"]) }
    let pending = try store.syncRead { try $0.pendingEntries(of: nil) }
    #expect(pending.map(\.localID) == [next.localID])
    #expect(pending.map(\.kind) == [.create])
  }

  @Test func `a program with fewer fields does not bring a deleted row back without them`() throws {
    let (store, game) = try storeWithGame()
    let other = try SQLiteStore(at: url, schema: narrow)
    try store.write { try $0.delete(game.reference) }
    for isFolded in [false, true] {
      if isFolded { try other.sync(.full) { try $0.fold() } }
      do {
        try other.write { try $0.discardChange(of: "Game", localID: game.localID) }
        Issue.record("The row came back.")
      } catch let error as StoreError {
        #expect(error.code == .cannotDiscard, "\(error)")
      }
      #expect(try other.write { try $0.discardChanges(of: nil) } == 0)
      #expect(try store.read { try $0.count(of: "Game") } == 0)
    }
  }

  @Test func `an edit of a field that the program leaves out stays`() throws {
    let (store, game) = try storeWithGame()
    let other = try SQLiteStore(at: url, schema: narrow)
    try store.write { try $0.update(game.reference, ["title": "mine", "note": "mine"]) }
    try store.sync(.full) { try $0.fold() }
    #expect(try other.write { try $0.discardChanges(of: nil) } == 1)
    let row = try #require(try store.read { try $0.records(of: "Game") }.first)
    #expect(row["title"] == "Final")
    #expect(row["note"] == "mine")
    try store.sync(.full) { try $0.fold() }
    #expect(try store.syncRead { try $0.pendingEntries(of: nil) }.map(\.changed) == [["note"]])
  }

  @Test func `a deleted record whose local id another row has comes back under a new one`() throws {
    let (store, game) = try storeWithGame()
    _ = try ForeignProgram(path: url.path(percentEncoded: false)).run([
      "DELETE FROM Game WHERE localId = \(game.localID)",
      "INSERT INTO Game (localId, title) VALUES (\(game.localID), 'x')",
    ])
    #expect(try store.write { try $0.discardChanges(of: nil) } == 2)
    let rows = try store.read { try $0.records(of: "Game") }
    #expect(rows.map(\.fields) == [game.fields])
    try store.sync(.full) { try $0.fold() }
    #expect(try store.syncRead { try $0.pendingEntries(of: nil) }.isEmpty)
  }

  @Test func `an edit that keeps a record marked as deleted is not discarded`() throws {
    let schema = Schema {
      Entity("Game") {
        Field("title", .text); Field("isGone", .boolean)
      }
      .deletions(.softDelete(field: "isGone"))
    }
    let store = try SQLiteStore(at: url, schema: schema)
    let row = ImportRow(
      objectID: "one", createdAt: Timestamp(milliseconds: 0), version: nil, acl: .null,
      values: ["Final", .null])
    let localID = try store.sync(.full) { try $0.apply([row], to: "Game") }[0]
    try store.write { try $0.update("Game", localID, ["title": "mine"]) }
    try store.sync(.full) { transaction in
      try transaction.fold()
      var entry = try #require(
        try transaction.outboxEntries(of: "Game", localIDs: [localID]).first)
      entry.takeBack(mark: "isGone")
      try transaction.put(entry)
    }
    #expect(try store.write { try $0.discardChanges(of: "Game") } == 0)
    #expect(throws: StoreError.self) {
      try store.write { try $0.discardChange(of: "Game", localID: localID) }
    }
    #expect(try store.read { try $0.records(of: "Game") }.map { $0["title"] } == ["mine"])
  }
}
