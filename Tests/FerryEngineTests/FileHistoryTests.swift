// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryModel
import FerryPlanning
import FerryStore
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

@testable import FerryEngine

/// New files that were sent, in history and in snapshots: the server's name is no change of others.
@Suite(.timeLimit(.minutes(3))) struct FileHistoryTests {
  @Test func `an undo takes back a new file that a sync has sent`() async throws {
    let world = try SyncWorld()
    let device = try world.device(schema: Photos.schema)
    let photo = try await device.store.write { try $0.insert("Photo", ["title": "Beach"]) }
    try await device.sync()
    let image = try await device.coordinator.newFile(Data("one".utf8), name: "a.txt")
    try await device.store.write { try $0.update(photo, ["image": .file(image)]) }
    try await device.sync()
    let sent = try #require(try await device.file(of: photo))
    let edits = try await device.store.read { db in
      let last = try #require(try db.undoableTransaction())
      return try db.edits(of: last)
    }
    #expect(edits.map(\.after) == [["image": .file(sent)]])
    #expect(try await device.store.undo()?.kept.isEmpty == true)
    #expect(try await device.file(of: photo) == nil)
    try await device.sync()
    #expect(try world.fileNames(of: "Photo").isEmpty)
    #expect(try await device.store.redo()?.kept.isEmpty == true)
    try await device.sync()
    #expect(try world.fileNames(of: "Photo") == [sent.name])
    #expect(world.uploads == 1)
  }

  @Test func `an undo of an insert takes the row with a sent file back`() async throws {
    let world = try SyncWorld()
    let device = try world.device(schema: Photos.schema)
    let image = try await device.coordinator.newFile(Data("one".utf8), name: "a.txt")
    let photo = try await device.store.write { try $0.insert("Photo", ["image": .file(image)]) }
    try await device.sync()
    #expect(try await device.store.undo()?.kept.isEmpty == true)
    #expect(
      try await device.store.read { try $0.record(of: "Photo", localID: photo.localID) } == nil)
    try await device.sync()
    #expect(try world.server.rows(of: "Photo").isEmpty)
  }

  @Test func `another file of the server counts as a change`() async throws {
    let world = try SyncWorld()
    let device = try world.device(schema: Photos.schema)
    let other = try world.device("b", schema: Photos.schema)
    let photo = try await device.store.write { try $0.insert("Photo", ["title": "Beach"]) }
    try await device.sync()
    try await other.sync()
    let theirs = try await other.coordinator.newFile(Data("two".utf8), name: "a.txt")
    let row = try #require(try await other.store.read { try $0.records(of: "Photo").first })
    try await other.store.write { try $0.update(row.reference, ["image": .file(theirs)]) }
    try await other.sync()
    let ours = try await device.coordinator.newFile(Data("one".utf8), name: "a.txt")
    try await device.store.write { try $0.update(photo, ["image": .file(ours)]) }
    try await device.sync()
    let present = try await device.file(of: photo)
    #expect(try await other.file(of: row.reference) == present)
    #expect(try await device.store.undo()?.kept.map(\.reason) == [.changedSince])
    #expect(try await device.file(of: photo) == present)
  }

  @Test(arguments: TestServer.Kind.all)
  func `a kept value whose file was removed from the server is sent anew`(
    on kind: TestServer.Kind
  ) async throws {
    let world = try SyncWorld(kind)
    let device = try world.device(schema: Photos.schema)
    let image = try await device.coordinator.newFile(Data("one".utf8), name: "a.txt")
    let photo = try await device.store.write { try $0.insert("Photo", ["image": .file(image)]) }
    try await device.sync()
    let first = try #require(try await device.file(of: photo))
    try await device.store.write { try $0.update(photo, ["image": .null]) }
    try await device.sync()
    _ = try world.server.answer(TestServer.Call(.delete, "/files/\(first.name)"))
    try await device.store.write { try $0.update(photo, ["image": .file(image)]) }
    #expect(try await device.sync().outcome == .complete)
    let second = try #require(try await device.file(of: photo))
    #expect(second != first)
    #expect(try world.fileNames(of: "Photo") == [second.name])
    let head = try world.server.answer(TestServer.Call(.head, "/files/app1/\(second.name)"))
    #expect(head.status == 200)
  }

  @Test func `a content that a conflict record names stays, also if the server has it`()
    async throws
  {
    let world = try SyncWorld()
    let device = try world.device(schema: Photos.schema)
    let image = try await device.coordinator.newFile(Data("one".utf8), name: "a.txt")
    let photo = try await device.store.write { try $0.insert("Photo", ["image": .file(image)]) }
    try device.store.sync(.full) { transaction in
      try transaction.recordConflict(
        ConflictRecord(
          time: .now, record: photo, reason: .remoteWon, lost: ["image": .file(image)]))
    }
    let content = try #require(device.coordinator.keptFile(image))
    try await device.sync()
    try FileWorld.age(content)
    try await device.sync()
    #expect(FileManager.default.fileExists(atPath: content.path))
    let other = try await device.coordinator.newFile(Data("two".utf8), name: "a.txt")
    try await device.store.write { try $0.update(photo, ["image": .file(other)]) }
    try await device.sync()
    let sent = try #require(device.coordinator.keptFile(other))
    try FileWorld.age(sent)
    try await device.sync()
    #expect(!FileManager.default.fileExists(atPath: sent.path))
  }

  @MainActor
  @Test func `an upload is no conflict for a form`() async throws {
    let world = try SyncWorld()
    let device = try world.device(schema: Photos.schema)
    let image = try await device.coordinator.newFile(Data("one".utf8), name: "a.txt")
    let second = try await device.coordinator.newFile(Data("two".utf8), name: "a.txt")
    let photo = try await device.store.write { try $0.insert("Photo", ["image": .file(image)]) }
    let form = try await device.store.snapshot(of: Query("Photo"))
    let removal = try await device.store.snapshot(of: Query("Photo"))
    try form.update(photo.localID, ["image": .file(second)])
    try removal.delete(photo.localID)
    try await device.sync()
    try await form.merge()
    try await removal.merge()
    #expect(form.conflicts.isEmpty && removal.conflicts.isEmpty)
    try await form.save()
    #expect(try await device.file(of: photo) == second)
    #expect(try await device.sync().outcome == .complete)
    // Now the row has another file, which the second form has not seen.
    try await removal.merge()
    #expect(removal.conflicts.count == 1)
  }
}
