// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryStore
import FerryTestSupport
import LoopbackParse
import Testing

/// An undo of an edit whose row has left the store, though its record is on the server.
@Suite(.timeLimit(.minutes(2))) struct UndoAfterEvictionTests {
  @Test func `the undo says that the row is gone, and takes back nothing`() async throws {
    let world = try SyncWorld()
    try world.server.create("Game", [["title": "a"], ["title": "b"]])
    let device = try world.device(schema: OnDemandTests.schema)
    _ = try await device.coordinator.fetch(Query("Game"))
    let row = try #require(
      try await device.store.read { try $0.references(Query("Game")) }.first)
    try await device.store.write { try $0.update(row, ["title": "edited"]) }
    try await device.sync()
    try await device.sync()
    #expect(try await device.coordinator.evict([row]).evicted == [row])
    let result = try #require(try await device.store.undo())
    #expect(result.undone.isEmpty && result.kept.map(\.reason) == [.rowIsGone])
    // The step is used, as each other of which everything stayed: the next undo goes further back.
    _ = try await device.coordinator.fetch(Query("Game"))
    #expect(try await device.store.undo() == nil)
    #expect(try device.pending().isEmpty)
  }
}
