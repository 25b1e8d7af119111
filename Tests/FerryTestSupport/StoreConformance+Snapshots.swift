// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import Testing

extension StoreConformance {
  static let snapshots: [StoreCheck] = [
    StoreCheck(onMainActor: "a snapshot stays as it is until it is merged") { store in
      let query = Query(
        "Game", where: .field("score", .greaterThan, 0), orderedBy: .ascending("title"))
      let (a, b) = try store.write { db in
        (
          try db.insert("Game", ["title": "A", "score": 1]),
          try db.insert("Game", ["title": "B", "score": 1])
        )
      }
      let snapshot = try store.snapshot(of: query)
      #expect(snapshot.titles == ["A", "B"] && !snapshot.hasUnsavedEdits)
      try store.write { db in
        try db.update(a, ["title": "C"])
        try db.update(b, ["score": 0])
        try db.insert("Game", ["title": "D", "score": 2])
      }
      #expect(snapshot.titles == ["A", "B"])
      let difference = try snapshot.merge()
      #expect(snapshot.titles == ["C", "D"])
      #expect(difference.removed == [1] && difference.inserted == [1] && difference.updated == [0])
      #expect(try snapshot.merge().isEmpty)
      expectStoreError(.unknownClass) { try store.snapshot(of: Query("Nothing")) }
    },
    StoreCheck(onMainActor: "unsaved edits stay on top, and a save writes them at once") { store in
      let league = try store.write { try $0.insert("League", ["name": "North"]) }
      let a = try store.importGame("a", ["title": "A", "rating": 1, "league": .pointer(league)])
      let b = try store.importGame("b", ["title": "B", "rating": 1])
      let snapshot = try store.snapshot(of: Query("Game", orderedBy: .ascending("title")))
      try snapshot.update(a, ["title": "mine", "rating": nil])
      try snapshot.delete(b)
      let new = try snapshot.insert(["title": "new"])
      #expect(snapshot.titles == ["mine", "new"] && snapshot.hasUnsavedEdits)
      #expect(snapshot.row(a)?["rating"] == .null && snapshot.row(b) == nil)
      #expect(snapshot.row(new)?["score"] == 0, "a default")
      #expect(try store.read { try $0.count(of: "Game") } == 2)
      // A change of others beside the edits comes in, and is no conflict.
      try store.sync(.full) { try $0.set(["score": 5], of: "Game", localID: a) }
      try snapshot.merge()
      #expect(snapshot.titles == ["mine", "new"] && snapshot.row(a)?["score"] == 5)
      #expect(snapshot.conflicts.isEmpty)
      let shown = snapshot.rows.map(\.fields)
      let names = try snapshot.save()
      #expect(snapshot.rows.map(\.fields) == shown && !snapshot.hasUnsavedEdits)
      let saved = try #require(names[new])
      #expect(snapshot.row(new)?.reference == saved && snapshot.row(saved.localID) != nil)
      try snapshot.merge()
      #expect(snapshot.rows.map(\.fields) == shown)
      #expect(try store.game(a)?["score"] == 5 && store.game(a)?["title"] == "mine")
      #expect(try store.game(b) == nil)
      // Calls take the id that the row had before.
      try snapshot.update(new, ["title": "newer"])
      try snapshot.save()
      #expect(try store.game(saved.localID)?["title"] == "newer")
      // One save is one transaction.
      try store.undo()
      #expect(try store.undo()?.undone.count == 3)
      #expect(try store.read { try $0.records(of: "Game") }.map { $0["title"] } == ["A", "B"])
    },
    StoreCheck(onMainActor: "a value that others have changed is not overwritten unseen") { store in
      let game = try store.importGame("a", ["title": "A", "rating": 1])
      let snapshot = try store.snapshot(of: Query("Game"))
      try snapshot.update(game, ["title": "mine", "rating": 2])
      try store.sync(.full) { try $0.set(["title": "others"], of: "Game", localID: game) }
      expectStoreError(.snapshotConflict) { try snapshot.save() }
      #expect(try store.game(game)?["title"] == "others" && store.game(game)?["rating"] == 1)
      let conflict = try #require(snapshot.conflicts.first)
      #expect(snapshot.conflicts.count == 1 && conflict.field == "title")
      #expect(
        conflict.seen == ["title": "A"] && conflict.edited == ["title": "mine"]
          && conflict.stored == ["title": "others"])
      // A later value in the store is another conflict.
      try store.sync(.full) { try $0.set(["title": "later"], of: "Game", localID: game) }
      try snapshot.merge()
      #expect(!snapshot.resolve(conflict, keeping: .edit))
      #expect(snapshot.conflicts.map(\.stored) == [["title": "later"]])
      #expect(snapshot.titles == ["mine"], "the edit stays on top")
      expectStoreError(.snapshotConflict) { try snapshot.save() }
      #expect(snapshot.resolve(snapshot.conflicts[0], keeping: .edit))
      try snapshot.save()
      #expect(try store.game(game)?["title"] == "mine" && store.game(game)?["rating"] == 2)

      try snapshot.update(game, ["title": "again"])
      try store.write { try $0.update("Game", game, ["title": "elsewhere"]) }
      expectStoreError(.snapshotConflict) { try snapshot.save() }
      #expect(snapshot.resolve(snapshot.conflicts[0], keeping: .stored))
      #expect(!snapshot.hasUnsavedEdits && snapshot.conflicts.isEmpty)
      try snapshot.merge()
      #expect(snapshot.titles == ["elsewhere"])
      // Both sides want the same.
      try snapshot.update(game, ["title": "same"])
      try store.write { try $0.update("Game", game, ["title": "same"]) }
      try snapshot.merge()
      #expect(!snapshot.hasUnsavedEdits)
    },
    StoreCheck(onMainActor: "an edit of a row that is gone makes a new row, or is dropped") {
      store in
      let kept = try store.importGame("a", ["title": "A", "rating": 3])
      let dropped = try store.importGame("b", ["title": "B"])
      let snapshot = try store.snapshot(of: Query("Game", orderedBy: .ascending("title")))
      for id in [kept, dropped] { try snapshot.update(id, ["title": "mine"]) }
      try store.sync(.full) { try $0.remove([kept, dropped], from: "Game") }
      try snapshot.merge()
      #expect(snapshot.titles == ["mine", "mine"], "they stay on top")
      #expect(snapshot.conflicts.map(\.stored) == [nil, nil])
      expectStoreError(.snapshotConflict) { try snapshot.save() }
      for conflict in snapshot.conflicts {
        snapshot.resolve(conflict, keeping: conflict.row.localID == kept ? .edit : .stored)
      }
      let names = try snapshot.save()
      let name = try #require(names[kept])
      let row = try #require(try store.game(name.localID))
      #expect(row["title"] == "mine" && row["rating"] == 3 && row["score"] == .null)
      #expect(row.acl == acl, "it is as private as the lost row")
      #expect(try store.read { try $0.count(of: "Game") } == 1)
      #expect(snapshot.titles == ["mine"])
    },
    StoreCheck(onMainActor: "a row that came back by itself does not come twice") { store in
      let game = try store.write { try $0.insert("Game", ["title": "A"]) }
      let snapshot = try store.snapshot(of: Query("Game"))
      try snapshot.update(game.localID, ["title": "mine"])
      try store.write { try $0.delete(game) }
      try snapshot.merge()
      snapshot.resolve(try #require(snapshot.conflicts.first), keeping: .edit)
      try store.undo()
      try snapshot.save()
      #expect(try store.read { try $0.records(of: "Game") }.map { $0["title"] } == ["mine"])
    },
    StoreCheck(onMainActor: "a row that others have changed is not deleted unseen") { store in
      let game = try store.importGame("a", ["title": "A"])
      let snapshot = try store.snapshot(of: Query("Game"))
      try snapshot.delete(game)
      try store.sync(.full) { try $0.set(["rating": 5], of: "Game", localID: game) }
      expectStoreError(.snapshotConflict) { try snapshot.save() }
      let conflict = try #require(snapshot.conflicts.first)
      #expect(
        conflict.field == nil && conflict.edited == nil && conflict.stored == ["rating": 5]
          && conflict.seen == ["rating": .null])
      snapshot.resolve(conflict, keeping: .edit)
      try snapshot.save()
      #expect(try store.game(game) == nil && snapshot.rows.isEmpty)
      expectStoreError(.noSuchRecord) { try snapshot.delete(game) }
      expectStoreError(.noSuchRecord) { try snapshot.update(game, [:]) }
    },
    StoreCheck(onMainActor: "bad values, and edits that lead back, leave no edit") { store in
      let game = try store.importGame("a", ["title": "A"])
      let snapshot = try store.snapshot(of: Query("Game"))
      expectStoreError(.unknownField) { try snapshot.update(game, ["colour": 1]) }
      expectStoreError(.wrongType) { try snapshot.insert(["title": 1]) }
      try snapshot.update(game, ["title": "B"])
      try snapshot.update(game, ["title": "A", "rating": .null])
      try snapshot.delete(try snapshot.insert([:]))
      #expect(!snapshot.hasUnsavedEdits)
      try snapshot.delete(game)
      _ = try snapshot.insert([:])
      snapshot.revert(game)
      #expect(snapshot.rows.count == 2)
      snapshot.revertAll()
      #expect(snapshot.titles == ["A"])
      #expect(try snapshot.save().isEmpty)
      #expect(try store.entries().isEmpty)
    },
    StoreCheck(onMainActor: "after a refused save, only what the app edits is an edit") { store in
      let game = try store.importGame("a", ["title": "A", "rating": 1])
      let snapshot = try store.snapshot(of: Query("Game"))
      try snapshot.update(game, ["title": "mine"])
      try store.sync(.full) {
        try $0.set(["title": "others", "rating": 5], of: "Game", localID: game)
      }
      expectStoreError(.snapshotConflict) { try snapshot.save() }
      try snapshot.update(game, ["title": "mine again", "rating": 1])
      #expect(snapshot.conflicts.map(\.field) == ["title"])
      #expect(snapshot.resolve(snapshot.conflicts[0], keeping: .edit))
      try snapshot.save()
      #expect(try store.game(game)?["title"] == "mine again" && store.game(game)?["rating"] == 5)
    },
    StoreCheck(onMainActor: "a row shows the side that the app has chosen") { store in
      let (a, b) = (try store.importGame("a"), try store.importGame("b"))
      let snapshot = try store.snapshot(of: Query("Game"))
      for id in [a, b] {
        try snapshot.update(id, ["title": "mine"])
        try store.sync(.full) { try $0.set(["title": "others"], of: "Game", localID: id) }
      }
      expectStoreError(.snapshotConflict) { try snapshot.save() }
      for (conflict, side) in zip(snapshot.conflicts, [SnapshotConflict.Side.stored, .edit]) {
        #expect(snapshot.resolve(conflict, keeping: side))
      }
      #expect(snapshot.titles == ["others", "mine"])
      try snapshot.update(b, ["title": "others"])
      #expect(snapshot.titles == ["others", "others"] && !snapshot.hasUnsavedEdits)
      // A row that is gone goes out of sight, whichever side the app takes before it deletes it.
      for id in [a, b] { try snapshot.update(id, ["title": "mine"]) }
      try store.sync(.full) { try $0.remove([a, b], from: "Game") }
      expectStoreError(.snapshotConflict) { try snapshot.save() }
      for (conflict, side) in zip(snapshot.conflicts, [SnapshotConflict.Side.stored, .edit]) {
        #expect(snapshot.resolve(conflict, keeping: side))
      }
      #expect(snapshot.titles == ["mine"])
      try snapshot.delete(b)
      #expect(snapshot.rows.isEmpty && !snapshot.hasUnsavedEdits)
    },
    StoreCheck(onMainActor: "the ids of a row lead to it, whatever happens to it") { store in
      let snapshot = try store.snapshot(of: Query("Game"))
      let new = try snapshot.insert(["title": "new"])
      let first = try #require(try snapshot.save()[new])
      for round in 0..<2 {
        let row = try #require(snapshot.row(new))
        try snapshot.update(new, ["title": .string("mine \(round)")])
        try store.write { try $0.delete(row.reference) }
        try snapshot.merge()
        #expect(snapshot.resolve(try #require(snapshot.conflicts.first), keeping: .edit))
        try snapshot.save()
        #expect(snapshot.row(new)?["title"] == .string("mine \(round)"))
      }
      for _ in 0..<4 { try store.undo() }
      try snapshot.merge()
      #expect(snapshot.rows.map(\.localID) == [first.localID])
      try snapshot.update(first.localID, ["title": "back"])
      try snapshot.save()
      #expect(try store.game(first.localID)?["title"] == "back")
    },
    StoreCheck(onMainActor: "a value of another class is refused") { store in
      try store.write { try $0.insert("Game", ["title": "A"]) }
      let snapshot = try store.snapshot(of: Query("Game"))
      let league = SnapshotLeague(id: snapshot.rows[0].localID, name: "North")
      expectStoreError(.wrongType) { try snapshot.update(league, from: league) }
      expectStoreError(.wrongType) { try snapshot.rows(as: SnapshotLeague.self) }
      let original = try #require(try snapshot.rows(as: SnapshotGame.self).first)
      var game = original
      game.title = "B"
      try store.write { try $0.update("Game", game.id, ["rating": 3]) }
      try snapshot.merge()
      try snapshot.update(game, from: original)
      try snapshot.save()
      #expect(try store.game(game.id)?["rating"] == 3 && store.game(game.id)?["title"] == "B")
    },
    StoreCheck(onMainActor: "a pointer that the server has renamed is no conflict") { store in
      let league = try store.write { try $0.insert("League", ["name": "North"]) }
      let game = try store.importGame("a", ["league": .pointer(league)])
      let snapshot = try store.snapshot(of: Query("Game"))
      try snapshot.update(game, ["league": nil, "moves": [.pointer(league)]])
      try store.fold()
      try store.begin(league)
      try store.sync(.full) { db in
        try db.acknowledgeCreate(
          of: "League", localID: league.localID, objectID: "s", createdAt: createdAt)
      }
      try snapshot.save()
      #expect(try store.game(game)?["league"] == .null)
      let renamed = Value.pointer(Pointer(className: "League", objectID: "s"))
      #expect(try store.game(game)?["moves"] == [renamed])
    },
  ]
}

extension StoreCheck {
  /// A check that makes a snapshot, which belongs to the main actor.
  init(
    onMainActor name: String,
    _ body: @escaping @MainActor @Sendable (any SyncStore) async throws -> Void
  ) {
    self.init(name) { store in try await body(store) }
  }
}

extension Snapshot {
  var titles: [Value] { rows.map { $0["title"] } }
}

private struct SnapshotLeague: SyncEntity {
  static let className = "League"
  var id = LocalID()
  var name: String?
}

private struct SnapshotGame: SyncEntity {
  static let className = "Game"
  var id = LocalID()
  var title: String?
  var rating: Double?
}
