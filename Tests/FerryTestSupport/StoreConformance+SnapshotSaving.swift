// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import Foundation
import Testing

extension StoreConformance {
  static let snapshotSaving: [StoreCheck] = [
    StoreCheck(onMainActor: "the app edits on while an async save writes") { store in
      let snapshot = try await store.snapshot(of: Query("Game"))
      let (first, second) = (
        try snapshot.insert(["title": "1"]), try snapshot.insert(["title": "2"])
      )
      let third = try snapshot.insert(["title": "3"])
      let (gate, holding, saving) = await holdSave(of: snapshot, in: store)
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
    StoreCheck(onMainActor: "a save can be undone alone, also after another write") { store in
      let game = try store.importGame("a", ["title": "A"])
      let snapshot = try await store.snapshot(of: Query("Game"))
      #expect(snapshot.savedToken == nil)
      try snapshot.update(game, ["title": "mine"])
      try await snapshot.save()
      let token = try #require(snapshot.savedToken)
      try await store.write { try $0.insert("Game", ["title": "other"]) }
      try await snapshot.merge()
      let before = HistoryToken(rawValue: token.rawValue - 1)
      let page = try await store.read {
        try $0.transactions(after: before, matching: HistoryFilter(), limit: 1)
      }
      let transaction = try #require(page.transactions.first)
      try await store.write { try $0.undo(transaction) }
      let titles = try await store.read { try $0.records(of: "Game").map { $0["title"] } }
      #expect(titles == ["A", "other"])
      // A save that changes nothing has no transaction.
      try snapshot.update(game, ["title": "A"])
      try await store.write { try $0.insert("Game", ["title": "third"]) }
      try await snapshot.save()
      #expect(snapshot.savedToken == token)
    },
    StoreCheck(onMainActor: "a pointer to a row that is not saved is refused") { store in
      let leagues = try await store.snapshot(of: Query("League"))
      let league = try #require(leagues.row(try leagues.insert(["name": "North"]))?.reference)
      let games = try await store.snapshot(of: Query("Game"))
      #expect(throws: StoreError.self) { try games.insert(["league": .pointer(league)]) }
      expectStoreError(.wrongType) {
        try store.write { try $0.insert("Game", ["league": .pointer(league)]) }
      }
    },
    StoreCheck(onMainActor: "an edit back to the old value during a save is an edit") { store in
      let game = try store.importGame("a", ["title": "A"])
      let snapshot = try await store.snapshot(of: Query("Game"))
      try snapshot.update(game, ["title": "mine"])
      let (gate, holding, saving) = await holdSave(of: snapshot, in: store)
      try snapshot.update(game, ["title": "A"])
      try await snapshot.merge()
      gate.signal()
      try await holding.value
      _ = try await saving.value
      #expect(try store.game(game)?["title"] == "mine")
      #expect(snapshot.titles == ["A"] && snapshot.hasUnsavedEdits)
      try await snapshot.save()
      #expect(try store.game(game)?["title"] == "A")
    },
    StoreCheck(onMainActor: "a merge right after the commit of a save is not taken back") { store in
      let game = try store.importGame("a", ["title": "A", "rating": 1])
      let snapshot = try await store.snapshot(of: Query("Game"))
      try snapshot.update(game, ["title": "mine"])
      _ = try snapshot.insert(["title": "new"])
      let (gate, holding, saving) = await holdSave(of: snapshot, in: store)
      gate.signal()
      try mergeAfterCommit(of: snapshot, of: game, in: store)
      try await holding.value
      _ = try await saving.value
      #expect(snapshot.titles == ["mine", "new"] && snapshot.row(game)?["rating"] == 5)
      #expect(Set(snapshot.rows.map(\.localID)).count == 2)
    },
    StoreCheck(onMainActor: "a refused save leaves the edits of the time as conflicts") { store in
      let game = try store.importGame("a", ["title": "A"])
      let snapshot = try await store.snapshot(of: Query("Game"))
      try snapshot.update(game, ["title": "mine"])
      try store.sync(.full) { try $0.set(["title": "others"], of: "Game", localID: game) }
      let (gate, holding, saving) = await holdSave(of: snapshot, in: store)
      try snapshot.update(game, ["title": "later"])
      gate.signal()
      try await holding.value
      await expectStoreError(.snapshotConflict) { try await saving.value }
      #expect(snapshot.conflicts.map(\.edited) == [["title": "later"]])
    },
    StoreCheck(onMainActor: "a new row that a merge lists before its save ends is one row") {
      store in
      let snapshot = try await store.snapshot(of: Query("Game"))
      let (first, second) = (
        try snapshot.insert(["title": "1"]), try snapshot.insert(["title": "2"])
      )
      let third = try snapshot.insert(["title": "3"])
      let (gate, holding, saving) = await holdSave(of: snapshot, in: store)
      for id in [first, second] { try snapshot.update(id, ["title": "later"]) }
      try snapshot.delete(third)
      gate.signal()
      try mergeInserts(of: 3, into: snapshot, in: store)
      #expect(snapshot.isSaving && snapshot.titles == ["later", "later"])
      #expect(snapshot.rows.allSatisfy { $0["rating"] == 5 }, "others have changed them meanwhile")
      #expect(snapshot.rows.map(\.localID) == [first, second].map { snapshot.row($0)?.localID })
      // The app deletes a row under its id of the store.
      try snapshot.delete(snapshot.rows[0].localID)
      try snapshot.update(second, ["title": "last"])
      try await holding.value
      let names = try await saving.value
      #expect(snapshot.titles == ["last"] && snapshot.rows[0]["rating"] == 5)
      #expect(snapshot.row(first) == nil && snapshot.row(third) == nil)
      #expect(snapshot.row(second)?.reference == names[second] && names.count == 3)
      try await snapshot.save()
      let rows = try await store.read { try $0.records(of: "Game") }
      #expect(rows.map { $0["title"] } == ["last"])
    },
    StoreCheck(onMainActor: "a row that a save wrote is deleted without a conflict") { store in
      let snapshot = try store.snapshot(of: Query("Club"))
      let new = try snapshot.insert(["name": "North"])
      let shown = snapshot.rows.map(\.fields)
      try snapshot.save()
      #expect(snapshot.rows.map(\.fields) == shown)
      try snapshot.update(new, ["name": "South"])
      try snapshot.save()
      try snapshot.delete(new)
      try snapshot.save()
      #expect(try store.read { try $0.count(of: "Club") } == 0)
    },
    StoreCheck(onMainActor: "a change of others that no merge brought stays unseen after a save") {
      store in
      let game = try store.importGame("a", ["title": "A", "rating": 1])
      let snapshot = try store.snapshot(of: Query("Game"))
      try snapshot.update(game, ["title": "mine"])
      try store.sync(.full) { try $0.set(["rating": 5], of: "Game", localID: game) }
      try snapshot.save()
      try snapshot.delete(game)
      expectStoreError(.snapshotConflict) { try snapshot.save() }
      #expect(snapshot.conflicts.map(\.stored) == [["rating": 5]])
      snapshot.revertAll()
      let new = try snapshot.insert(["title": "new"])
      let name = try #require(try snapshot.save()[new])
      try store.write { try $0.update(name, ["details": ["n": 1]]) }
      try snapshot.delete(new)
      expectStoreError(.snapshotConflict) { try snapshot.save() }
      #expect(snapshot.conflicts.map(\.stored) == [["details": ["n": 1]]])
    },
  ]
}

/// Begins a save that cannot write until the gate opens.
@MainActor
func holdSave(
  of snapshot: Snapshot, in store: any SyncStore
) async -> (
  gate: DispatchSemaphore, holding: Task<Void, any Error>,
  saving: Task<[LocalID: RecordReference], any Error>
) {
  let (gate, holding) = await holdWrites(of: store)
  let saving = Task { try await snapshot.save() }
  while !snapshot.isSaving { await Task.yield() }
  return (gate, holding, saving)
}

/// Keeps writes of a store from beginning until the gate opens.
@MainActor
private func holdWrites(
  of store: any SyncStore
) async -> (gate: DispatchSemaphore, holding: Task<Void, any Error>) {
  let gate = DispatchSemaphore(value: 0)
  let (held, hold) = AsyncStream.makeStream(of: Void.self)
  let holding = Task {
    try await store.write { _ in
      hold.yield()
      gate.wait()
    }
  }
  for await _ in held { break }
  return (gate, holding)
}

/// Waits for the commit of a save without giving up the main actor, and merges an edit of others.
@MainActor
private func mergeAfterCommit(
  of snapshot: Snapshot, of game: LocalID, in store: any SyncStore
) throws {
  while try store.game(game)?["title"] != "mine" { Thread.sleep(forTimeInterval: 0.001) }
  try store.write { try $0.update("Game", game, ["rating": 5]) }
  try snapshot.merge()
}

/// Waits for the commit of a save that inserts games without giving up the main actor, and merges edits of others.
@MainActor
private func mergeInserts(
  of count: Int, into snapshot: Snapshot, in store: any SyncStore
) throws {
  while try store.read({ try $0.count(of: "Game") }) < count {
    Thread.sleep(forTimeInterval: 0.001)
  }
  try store.write { db in
    for row in try db.records(of: "Game") where row["title"] != "3" {
      try db.update(row.reference, ["rating": 5])
    }
  }
  try snapshot.merge()
}
