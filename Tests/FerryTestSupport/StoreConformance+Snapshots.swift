// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import Foundation
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
    StoreCheck(onMainActor: "the app edits on while an async save writes") { store in
      let snapshot = try await store.snapshot(of: Query("Game"))
      let (first, second) = (
        try snapshot.insert(["title": "1"]), try snapshot.insert(["title": "2"])
      )
      let third = try snapshot.insert(["title": "3"])
      // No write of the store ends before the app has edited on.
      let gate = DispatchSemaphore(value: 0)
      let (held, hold) = AsyncStream.makeStream(of: Void.self)
      let holding = Task {
        try await store.write { _ in
          hold.yield()
          gate.wait()
        }
      }
      for await _ in held { break }
      let saving = Task { try await snapshot.save() }
      while !snapshot.isSaving { await Task.yield() }
      try snapshot.update(first, ["title": "later"])
      try snapshot.delete(second)
      await expectStoreError(.busy) { try await snapshot.save() }
      gate.signal()
      try await holding.value
      let names = try await saving.value
      #expect(names.count == 3)
      #expect(snapshot.titles == ["later", "3"] && snapshot.hasUnsavedEdits)
      let count = try await store.read { try $0.count(of: "Game") }
      #expect(count == 3)
      try await snapshot.save()
      let difference = try await snapshot.merge()
      #expect(difference.isEmpty && snapshot.titles == ["later", "3"])
      let rest = try await store.read { try $0.count(of: "Game") }
      #expect(rest == 2)
      #expect(snapshot.row(third)?.localID == names[third]?.localID)
    },
  ]
}

extension StoreCheck {
  /// A check that makes a snapshot, which belongs to the main actor.
  fileprivate init(
    onMainActor name: String,
    _ body: @escaping @MainActor @Sendable (any SyncStore) async throws -> Void
  ) {
    self.init(name) { store in try await body(store) }
  }
}

extension Snapshot {
  fileprivate var titles: [Value] { rows.map { $0["title"] } }
}
