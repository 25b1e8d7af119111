// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import Testing

/// Memory does not grow with what is unsent.
///
/// Each test measures a process with few edits and one with many. Before edits were folded and sent page by page,
/// the differences were above 30 MB.
@Suite(.timeLimit(.minutes(5))) struct MemoryTests {
  private static let tolerance = 16

  private func peak(
    _ command: String, after edits: String, games: Int
  ) async throws -> Int? {
    let world = try ToolWorld()
    try world.fill(games: games)
    try world.configure()
    #expect(try await world.ferry("sync").code == 0)
    let edit = try await world.shell("(\(edits)) | sqlite3 -bail store.sqlite")
    #expect(edit.code == 0, "\(edit.errors)")
    let result = try await world.ferry(command)
    #expect(result.code == 0, "\(result.errors)")
    return result.peakMemory
  }

  @Test func `a sync holds a page of unsent changes at a time`() async throws {
    func measured(_ games: Int) async throws -> Int? {
      try await peak("sync", after: "echo 'UPDATE Game SET score = score + 1;'", games: games)
    }
    // With fewer rows, SQLite's cache is not full yet.
    guard let few = try await measured(6000), let many = try await measured(15_000) else { return }
    #expect(many - few < Self.tolerance, "\(few) MB, then \(many) MB")
  }

  @Test func `many edits of one row are folded in parts`() async throws {
    func measured(_ edits: Int) async throws -> Int? {
      let update = "UPDATE Game SET score = &, title = 'Edit number &' WHERE localId = 1;"
      return try await peak(
        "outbox", after: "echo 'BEGIN;'; seq \(edits) | sed \"s/.*/\(update)/\"; echo 'COMMIT;'",
        games: 3)
    }
    guard let few = try await measured(5000), let many = try await measured(60_000) else { return }
    #expect(many - few < Self.tolerance, "\(few) MB, then \(many) MB")
  }
}
