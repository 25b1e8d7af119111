// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryTestSupport
import Foundation
import Testing

/// The calls that edit fields with a merge.
@Suite(.timeLimit(.minutes(2)))
struct MergingEditsTests {
  private static let schema = Schema {
    Entity("Game") {
      Field("title", .text)
      Field("likes", .integer, merge: .increment)
      Field("rate", .number, merge: .increment)
      Field("tags", .array, merge: .set)
    }
  }

  private let folder: TemporaryDirectory
  private let stores: [any Store]

  init() throws {
    folder = try TemporaryDirectory()
    stores = [
      try SQLiteStore(at: folder.url.appending(path: "store.sqlite"), schema: Self.schema),
      try InMemoryStore(schema: Self.schema),
    ]
  }

  @Test func `additions and elements are there at once`() async throws {
    for store in stores {
      let game = try await store.write { try $0.insert("Game", ["title": "Final", "likes": 5]) }
      try await store.write { db in
        try db.increment("likes", of: game)
        try db.increment("likes", by: -3, of: game)
        try db.increment("rate", by: 0.5, of: game)
        try db.addUnique(["a", "b", "a"], to: "tags", of: game)
        try db.addUnique(["b", "c"], to: "tags", of: game)
        try db.remove(["a", "x"], from: "tags", of: game)
      }
      let row = try await store.read { try $0.record(of: "Game", localID: game.localID) }
      #expect(row?["likes"] == 3 && row?["rate"] == 0.5)
      #expect(row?["tags"] == ["b", "c"])
    }
  }

  @Test func `a field without the merge, and what is no number, are refused`() async throws {
    for store in stores {
      let game = try await store.write { try $0.insert("Game", ["title": "Final", "likes": 5]) }
      let gone = RecordReference(
        className: "Game", localID: LocalID(rawValue: 99), objectID: "gone")
      try await expect(.wrongType, store) { try $0.increment("title", of: game) }
      try await expect(.wrongType, store) { try $0.increment("tags", of: game) }
      try await expect(.wrongType, store) { try $0.addUnique(["a"], to: "likes", of: game) }
      try await expect(.wrongType, store) { try $0.remove(["a"], from: "title", of: game) }
      try await expect(.wrongType, store) { try $0.increment("likes", by: "2", of: game) }
      try await expect(.wrongType, store) { try $0.increment("likes", by: .null, of: game) }
      try await expect(.wrongType, store) { try $0.increment("likes", by: 0.5, of: game) }
      try await expect(.unknownField, store) { try $0.increment("nothing", of: game) }
      try await expect(.noSuchRecord, store) { try $0.increment("likes", of: gone) }
      try await expect(.numberTooLarge, store) {
        try $0.increment("likes", by: .integer(1 << 53), of: game)
      }
      let row = try await store.read { try $0.record(of: "Game", localID: game.localID) }
      #expect(row?["likes"] == 5)
    }
  }

  private func expect(
    _ code: StoreError.Code, _ store: any Store,
    _ body: @escaping @Sendable (any StoreTransaction) throws -> Void
  ) async throws {
    let error = await #expect(throws: StoreError.self) { try await store.write { try body($0) } }
    #expect(error?.code == code, "\(error?.message ?? "")")
  }
}
