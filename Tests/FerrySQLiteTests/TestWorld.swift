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

  /// A store whose imports log their updates themselves from that number of rows on.
  init(bulkUpdate: Int) throws {
    folder = try TemporaryFolder()
    store = try SQLiteStore(
      at: folder.url.appending(path: "games.sqlite"), schema: Self.schema,
      generator: SystemRandomNumberGenerator(), bulkUpdate: bulkUpdate, now: { .now })
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

extension TestWorld {
  /// A page of games by their ids, with another title and without the rest.
  func page(_ objectIDs: [String], title: String) throws -> RowBatch {
    let entity = Self.schema.entities[1]
    let position = try #require(entity.fields.firstIndex { $0.name == "title" })
    var batch = RowBatch(emptyValues: entity.fields.map { _ in .null })
    for objectID in objectIDs {
      batch.beginRow()
      batch.set(RowBatch.Column.objectID, .string(objectID))
      batch.set(
        RowBatch.Column.createdAt, .date(Timestamp(milliseconds: 1_700_000_000_000)))
      batch.set(RowBatch.Column.version, .string("2026-03-02T18:30:00.250Z"))
      batch.set(RowBatch.Column.firstField + position, .string(title))
    }
    return batch
  }

  /// Imports a page of games that are there, by the short way of plain records.
  func overwrite(_ objectIDs: [String], title: String) throws {
    let batch = try page(objectIDs, title: title)
    try store.sync(.normal) { transaction throws(StoreError) in
      let rows = Array(0..<batch.rowCount)
      let found = try transaction.insertNewRows(rows, of: batch, into: "Game")
      try transaction.overwrite(found.matches, with: batch, in: "Game")
    }
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
