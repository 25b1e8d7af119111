// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import Foundation
import Testing

extension StoreConformance {
  static let snapshotIdentity: [StoreCheck] = [
    StoreCheck(onMainActor: "a pointer stays where a row of another class had its target's id") {
      store in
      // The app chooses one id for rows of two classes, and the server replaces that of the game.
      let (league, other) = try store.write { db in
        (
          try db.insert("League", ["name": "North"], objectID: "one"),
          try db.insert("Game", ["title": "other"], objectID: "one")
        )
      }
      let game = try store.write { try $0.insert("Game", ["league": .pointer(league)]) }
      let snapshot = try store.snapshot(of: Query("Game"))
      let new = try snapshot.insert(["title": "new", "league": .pointer(league)])
      try store.sync(.full) { db in
        let key = RecordKey(className: "Game", localID: other.localID)
        try db.bindRow(key, from: "one", to: "server1", createdAt: .earliest)
      }
      try store.write { try $0.delete(game) }
      #expect(try store.undo()?.kept.isEmpty == true)
      let saved = try #require(try snapshot.save()[new])
      for row in [game, saved] {
        #expect(try store.game(row.localID)?["league"] == .pointer(league))
      }
      #expect(try store.game(other.localID)?.objectID == "server1")
    },
    StoreCheck(onMainActor: "a save follows a record that a sync gave another row") { store in
      let known = try store.importGame("x", ["title": "A", "rating": 1])
      let snapshot = try store.snapshot(of: Query("Game"))
      try snapshot.update(known, ["title": "mine"])
      let row = try store.moveRecord("x", ["title": "A", "rating": 1])
      try snapshot.save()
      #expect(try store.read { try $0.records(of: "Game") }.map(\.localID) == [row])
      #expect(try store.game(row)?["title"] == "mine")
      #expect(snapshot.rows.map(\.localID) == [row] && !snapshot.hasUnsavedEdits)
      #expect(snapshot.row(known)?.localID == row)
      try snapshot.update(known, ["rating": 2])
      try snapshot.merge()
      #expect(snapshot.rows.map(\.localID) == [row] && snapshot.titles == ["mine"])
      try snapshot.save()
      #expect(try store.game(row)?["rating"] == 2)
    },
    StoreCheck(onMainActor: "a merge follows a record to another row, and tells what changed") {
      store in
      for isSaved in [true, false] {
        let objectID = "x\(isSaved)"
        let known = try store.importGame(objectID, ["title": "A"])
        let snapshot = try store.snapshot(of: Query("Game", orderedBy: .ascending("title")))
        try snapshot.update(known, ["title": "mine"])
        let row = try store.moveRecord(objectID, ["title": "others"])
        if isSaved {
          expectStoreError(.snapshotConflict) { try snapshot.save() }
        } else {
          try snapshot.merge()
        }
        #expect(snapshot.rows.map(\.localID) == [row] && snapshot.titles == ["mine"])
        let conflict = try #require(snapshot.conflicts.first)
        #expect(conflict.field == "title" && conflict.row.localID == row)
        #expect(conflict.stored == ["title": "others"])
        #expect(snapshot.resolve(conflict, keeping: .edit))
        #expect(snapshot.row(known)?.localID == row)
        #expect(try snapshot.save().isEmpty)
        #expect(try store.read { try $0.records(of: "Game") }.map { $0["title"] } == ["mine"])
        try store.sync(.full) { try $0.remove([row], from: "Game") }
      }
    },
    StoreCheck(onMainActor: "a delete follows a record to another row") { store in
      for isMerged in [true, false] {
        let objectID = "x\(isMerged)"
        let known = try store.importGame(objectID, ["title": "A", "score": 1])
        let snapshot = try store.snapshot(of: Query("Game"))
        try snapshot.delete(known)
        let fields = try #require(try store.game(known)?.fields)
        _ = try store.moveRecord(objectID, fields)
        if isMerged { try snapshot.merge() }
        #expect(snapshot.rows.isEmpty)
        try snapshot.save()
        #expect(try store.read { try $0.count(of: "Game") } == 0)
        #expect(snapshot.rows.isEmpty && !snapshot.hasUnsavedEdits)
      }
    },
    StoreCheck(onMainActor: "a kept row is not made anew if its record is back in another row") {
      store in
      let known = try store.importGame("x", ["title": "A"])
      let snapshot = try store.snapshot(of: Query("Game"))
      try snapshot.update(known, ["title": "mine"])
      try store.sync(.full) { try $0.remove([known], from: "Game") }
      try snapshot.merge()
      #expect(snapshot.resolve(try #require(snapshot.conflicts.first), keeping: .edit))
      let row = try store.insertAgain("x", ["title": "A"])
      #expect(try snapshot.save().isEmpty)
      #expect(try store.read { try $0.records(of: "Game") }.map(\.localID) == [row])
      #expect(try store.game(row)?["title"] == "mine" && snapshot.row(known)?.localID == row)
    },
    StoreCheck(onMainActor: "an edit follows a record under an id that the server replaced") {
      store in
      let new = try store.write { try $0.insert("Game", ["title": "A"]) }
      let snapshot = try store.snapshot(of: Query("Game"))
      try snapshot.update(new.localID, ["title": "mine"])
      try store.fold()
      try store.sync(.full) { db in
        try db.bindRow(
          RecordKey(className: "Game", localID: new.localID), from: new.objectID, to: "s",
          createdAt: createdAt)
      }
      let row = try store.moveRecord("s", ["title": "A"])
      try snapshot.save()
      #expect(try store.read { try $0.records(of: "Game") }.map(\.localID) == [row])
      #expect(try store.game(row)?["title"] == "mine")
    },
    StoreCheck(onMainActor: "an edit does not reach another record under the local id of its row") {
      store in
      let (known, other) = (
        try store.importGame("x", ["title": "A"]), try store.importGame("y", ["title": "A"])
      )
      let snapshot = try store.snapshot(of: Query("Game"))
      try snapshot.update(known, ["title": "mine"])
      try snapshot.delete(other)
      let fields = try #require(try store.game(other)?.fields)
      try store.sync(.full) { try $0.remove([known, other], from: "Game") }
      for (id, name) in [(known, "z"), (other, "w")] {
        try store.insertAgain(name, fields, localID: id)
      }
      expectStoreError(.snapshotConflict) { try snapshot.save() }
      #expect(snapshot.conflicts.map(\.stored) == [nil])
      #expect(snapshot.resolve(snapshot.conflicts[0], keeping: .edit))
      #expect(try snapshot.save()[known] != nil)
      let titles = try store.read { try $0.records(of: "Game") }.map { $0["title"] }
      #expect(titles.count == 3 && titles.filter { $0 == "A" }.count == 2)
    },
    StoreCheck(onMainActor: "edits under both ids of a record are one edit") { store in
      let known = try store.importGame("x", ["title": "A", "rating": 1])
      let snapshot = try await store.snapshot(of: Query("Game"))
      try snapshot.update(known, ["title": "mine", "rating": 2])
      let (gate, holding, saving) = await holdSave(of: snapshot, in: store)
      try snapshot.update(known, ["title": "later"])
      gate.signal()
      let row = try moveAfterCommit(of: known, in: store, snapshot)
      try snapshot.update(row, ["rating": 3])
      try await holding.value
      _ = try await saving.value
      #expect(snapshot.rows.map(\.localID) == [row])
      #expect(snapshot.titles == ["later"] && snapshot.rows[0]["rating"] == 3)
      try await snapshot.save()
      #expect(try store.game(row)?["title"] == "later" && store.game(row)?["rating"] == 3)
    },
  ]
}

/// Waits for the commit of a save without giving up the main actor; then the record gets another row, and a merge
/// lists it.
@MainActor
private func moveAfterCommit(
  of game: LocalID, in store: any SyncStore, _ snapshot: Snapshot
) throws -> LocalID {
  while try store.game(game)?["title"] != "mine" { Thread.sleep(forTimeInterval: 0.001) }
  let fields = try #require(try store.game(game)?.fields)
  let row = try store.moveRecord("x", fields)
  try snapshot.merge()
  return row
}

extension SyncStore {
  /// Another program deletes the row of a record, and inserts it again under another local id.
  fileprivate func moveRecord(_ objectID: String, _ fields: Fields) throws -> LocalID {
    let old = try #require(try read { try $0.record(of: "Game", objectID: objectID) })
    try sync(.full) { try $0.remove([old.localID], from: "Game") }
    return try insertAgain(objectID, fields, localID: LocalID(rawValue: old.localID.rawValue + 50))
  }

  @discardableResult
  fileprivate func insertAgain(
    _ objectID: String, _ fields: Fields, localID: LocalID = LocalID(rawValue: 90)
  ) throws -> LocalID {
    let reference = RecordReference(className: "Game", localID: localID, objectID: objectID)
    try write { db in
      let transaction = try #require(db as? any CapturedTransaction)
      try transaction.insertAgain(reference, fields, acl: .null)
    }
    return try #require(try read { try $0.record(of: "Game", objectID: objectID) }).localID
  }
}
