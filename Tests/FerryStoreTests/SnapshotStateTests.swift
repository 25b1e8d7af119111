// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryTestSupport
import Testing

@testable import FerryStore

/// The rows of a snapshot as a value, without a snapshot around them.
@Suite(.timeLimit(.minutes(1)))
struct SnapshotStateTests {
  /// A store that goes back to a backup gives local ids again, so two ids of a row may lead to each other.
  @Test func `an id leads to no row without end after local ids came again`() throws {
    let query = Query("Game")
    let (store, restored) = (
      try InMemoryStore(schema: StoreConformance.schema),
      try InMemoryStore(schema: StoreConformance.schema)
    )
    var state = SnapshotState()
    func merge(_ store: InMemoryStore) throws {
      state.merge(
        try store.syncRead { try SnapshotView(of: query, and: state.edits, from: $0) })
    }
    func saveAsNewRow(_ id: LocalID, in store: InMemoryStore) throws -> LocalID {
      let isShown = state.update(id, ["title": .string("edit of \(id)")])
      try merge(store)
      let conflict = try #require(state.conflicts.first)
      let isSettled = state.resolve(conflict, keeping: .edit)
      #expect(isShown && isSettled)
      let edits = state.beginSaving()
      let saved = try store.write { try SnapshotSaving(edits, of: "Game", in: $0) }
      state.conclude(saved)
      return try #require(saved.inserted[id]).localID
    }
    let first = try store.write { try $0.insert("Game", ["title": "A"]) }
    try merge(store)
    try store.write { try $0.delete(first) }
    let second = try saveAsNewRow(first.localID, in: store)
    #expect(state.row(first.localID)?.localID == second)
    #expect(try saveAsNewRow(second, in: restored) == first.localID)
    #expect(state.row(second)?.localID == first.localID)
    try restored.write { try $0.delete("Game", first.localID) }
    try merge(restored)
    #expect(state.row(first.localID) == nil && state.row(second) == nil)
  }
}
