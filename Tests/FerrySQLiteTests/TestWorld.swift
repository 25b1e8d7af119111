// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import FerryTestSupport
import Foundation
import Testing

@testable import FerrySQLite

/// Leagues and games in their own folder, and a second program that writes to them with plain SQL.
final class TestWorld: Sendable {
  static let schema = Schema {
    Entity("League") {
      Field("name", .text)
      Field("games", .array)
    }
    Entity("Game", fields: StoreConformance.gameFields)
  }

  let folder: TemporaryFolder
  let store: SQLiteStore
  var url: URL { folder.url.appending(path: "games.sqlite") }

  init(schema: Schema = TestWorld.schema) throws {
    folder = try TemporaryFolder()
    store = try SQLiteStore(at: folder.url.appending(path: "games.sqlite"), schema: schema)
  }

  /// Opens the same file again.
  func reopened(schema: Schema = TestWorld.schema) throws -> SQLiteStore {
    try SQLiteStore(at: url, schema: schema)
  }

  /// Runs SQL like another program: over a connection without Ferry's settings.
  @discardableResult
  func foreign(_ sql: String...) throws -> [[String]] {
    try ForeignProgram(path: url.path(percentEncoded: false)).run(sql)
  }

  func log() throws -> [LogRow] { try store.syncRead { try $0.log(after: .start) } }

  /// A game that the server knows.
  @discardableResult
  func importGame(_ objectID: String, title: String = "Final") throws -> LocalID {
    let row = ImportRow(
      objectID: objectID, createdAt: Timestamp(milliseconds: 1_700_000_000_000),
      version: ServerVersion(rawValue: "2026-03-01T18:30:00.250Z"), acl: ["*": ["read": true]],
      values: [.string(title), 1, 2.5, true, .null, .null, .bytes([1, 0, 2]), ["a": 1]])
    let localIDs = try store.sync(.full) { try $0.apply([row], to: "Game") }
    return try #require(localIDs.first)
  }
}

/// Checks that a call fails with a `StoreError`, and returns the error.
@discardableResult
func expectStoreError<Result>(
  _ code: StoreError.Code, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Result
) -> StoreError? {
  do {
    _ = try body()
    Issue.record("No error was thrown.", sourceLocation: sourceLocation)
  } catch let error as StoreError {
    #expect(error.code == code, "\(error.message)", sourceLocation: sourceLocation)
    return error
  } catch {
    Issue.record("Another error was thrown: \(error)", sourceLocation: sourceLocation)
  }
  return nil
}
