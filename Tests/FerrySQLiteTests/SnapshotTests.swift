// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import FerryTestSupport
import Foundation
import Testing

@testable import FerrySQLite

/// Snapshots over a database in which other programs have triggers and values of their own.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct SnapshotTests {
  private let world: TestWorld
  private var store: SQLiteStore { world.store }

  init() throws { world = try TestWorld() }

  private func titles() throws -> [Value] {
    try store.read { try $0.records(of: "Game") }.map { $0["title"] }
  }

  @Test func `a merge after the store went back to a backup in place shows the backup`()
    async throws
  {
    let kept = try world.importGame("a", title: "A")
    let snapshot = try await store.snapshot(of: Query("Game"))
    let backup = world.folder.url.appending(path: "backup.sqlite").path(percentEncoded: false)
    _ = try world.foreign(".backup '\(backup)'\nSELECT 1")
    try await store.write { db in
      for number in 1...3 { try db.insert("Game", ["title": .string("\(number)")]) }
    }
    try await snapshot.merge()
    #expect(snapshot.rows.count == 4)
    _ = try world.foreign(".restore '\(backup)'\nSELECT 1")
    try await snapshot.merge()
    #expect(snapshot.rows.map(\.localID) == [kept])
    try snapshot.update(kept, ["title": "B"])
    try await snapshot.save()
    #expect(try titles() == ["B"])
  }

  @Test func `a row that a trigger removed with another one does not hold up a save`() throws {
    let (first, second) = (
      try world.importGame("a", title: "A"), try world.importGame("b", title: "B")
    )
    _ = try world.foreign(
      "CREATE TRIGGER both AFTER DELETE ON Game WHEN OLD.title = 'A' BEGIN"
        + " DELETE FROM Game WHERE title = 'B'; END")
    let snapshot = try store.snapshot(of: Query("Game"))
    for id in [first, second] { try snapshot.delete(id) }
    try snapshot.save()
    #expect(try titles().isEmpty && snapshot.rows.isEmpty && !snapshot.hasUnsavedEdits)
  }

  @Test func `a kept row leaves out a value that no field can hold`() throws {
    let game = try world.importGame("a", title: "A")
    _ = try world.foreign("UPDATE Game SET playedAt = 'yesterday' WHERE objectId = 'a'")
    let snapshot = try store.snapshot(of: Query("Game"))
    try snapshot.update(game, ["title": "mine"])
    try store.sync(.full) { try $0.remove([game], from: "Game") }
    try snapshot.merge()
    #expect(snapshot.resolve(try #require(snapshot.conflicts.first), keeping: .edit))
    let name = try #require(try snapshot.save()[game])
    let row = try #require(try store.read { try $0.record(of: "Game", localID: name.localID) })
    #expect(row["title"] == "mine" && row["isOpen"] == true)
    #expect(row["playedAt"].isNull)
  }

  @Test func `values that a trigger writes during a save are no changes of others`() throws {
    let known = try world.importGame("a", title: "A")
    for event in ["INSERT", "UPDATE OF title"] {
      _ = try world.foreign(
        "CREATE TRIGGER \"after \(event)\" AFTER \(event) ON Game BEGIN UPDATE Game"
          + " SET score = score + 1, title = upper(NEW.title) WHERE localId = NEW.localId; END")
    }
    let snapshot = try store.snapshot(of: Query("Game"))
    let new = try snapshot.insert(["title": "new", "score": 1])
    try snapshot.update(known, ["title": "mine"])
    let shown = snapshot.rows.map(\.fields)
    try snapshot.save()
    #expect(snapshot.rows.map(\.fields) == shown, "the rows stay in sight as they are")
    #expect(try titles() == ["MINE", "NEW"])
    for id in [known, new] { try snapshot.update(id, ["title": "again", "score": 7]) }
    try snapshot.save()
    #expect(try titles() == ["AGAIN", "AGAIN"])
    // Edits of a row that a trigger has rewritten, and a later change of others, are a conflict.
    try snapshot.update(known, ["title": "last"])
    _ = try world.foreign(
      "UPDATE Game SET isOpen = 0, rating = 1 WHERE localId = \(known.rawValue)")
    try snapshot.delete(new)
    try snapshot.save()
    try snapshot.delete(known)
    expectStoreError(.snapshotConflict) { try snapshot.save() }
    #expect(snapshot.conflicts.map(\.stored) == [["isOpen": false, "rating": 1]])
    try snapshot.merge()
    #expect(snapshot.resolve(try #require(snapshot.conflicts.first), keeping: .edit))
    try snapshot.save()
    #expect(try titles().isEmpty)
  }
}
