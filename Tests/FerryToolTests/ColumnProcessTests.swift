// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import LoopbackParse
import Testing

@testable import FerryTool

/// The rows of `ferry help columns`, each written by SQL, sent, and brought back.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ColumnProcessTests {
  /// The value on the server after each row's example was sent, as far as it is fixed.
  private static let sent: [String: LoopbackValue] = [
    "String": "Final", "Number": 12.5, "Number, \"integer\": true": 12, "Boolean": true,
    "Date": ["__type": "Date", "iso": "2026-03-01T18:30:00.000Z"],
    "Bytes": ["__type": "Bytes", "base64": "aGk="], "Object": ["half": 2], "Array": ["home", 1],
    "GeoPoint": ["__type": "GeoPoint", "latitude": 52.5, "longitude": 13.4],
    "Polygon": ["__type": "Polygon", "coordinates": [[0, 0], [0, 1], [1, 1], [0, 0]]],
  ]

  private static func field(_ index: Int) -> String { "f\(index)" }

  /// The class Match with a field for each row, as `ferry.json` has it.
  private static var classes: String {
    let fields = ColumnHelp.rows.enumerated().map { index, row in
      let parts = row.type.split(separator: ", ", maxSplits: 1)
      let more = parts.count > 1 ? ", \(parts[1])" : ""
      let target = ["Pointer", "Relation"].contains(row.type) ? #", "targetClass": "League""# : ""
      return #""\#(field(index))": { "type": "\#(parts[0])"\#(more)\#(target) }"#
    }
    return #"{ "League": { "fields": { "name": { "type": "String" } } }, "#
      + #""Match": { "fields": { \#(fields.joined(separator: ", ")) } } }"#
  }

  private func sql(_ statement: String, in world: ToolWorld) async throws -> [String] {
    try world.folder.write(statement, to: "statement.sql")
    let result = try await world.shell("sqlite3 store.sqlite < statement.sql")
    #expect(result.errors.isEmpty, "\(result.errors)")
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test func `a column holds each type as its row of the table says`() async throws {
    let world = try ToolWorld()
    try world.configure(classes: Self.classes)
    #expect(try await world.ferry("sync").code == 0)
    let written = ColumnHelp.rows.enumerated().compactMap { index, row in
      row.sql.map { (Self.field(index), $0) }
    }
    let declared = try await sql(
      "INSERT INTO League (name) VALUES ('North'); "
        + "INSERT INTO Match (\(written.map(\.0).joined(separator: ", "))) "
        + "VALUES (\(written.map(\.1).joined(separator: ", "))); "
        + "SELECT type FROM pragma_table_info('Match') WHERE name GLOB 'f*';", in: world)
    #expect(declared == ColumnHelp.rows.map(\.column))
    let sync = try await world.ferry("sync")
    #expect(sync.code == 0, "\(sync.errors)")

    let match = try #require(world.server.backend.objects(of: "Match").first)
    let league = try #require(world.server.backend.objects(of: "League").first)
    for (index, row) in ColumnHelp.rows.enumerated() {
      let value = match[Self.field(index)]
      switch row.type {
      case "Pointer": #expect(value?["objectId"] == league["objectId"])
      case "File": #expect(value?["name"] == "a.png")
      case "Relation": #expect(row.sql == nil)
      default: #expect(value == Self.sent[row.type], "\(row.type)")
      }
    }

    #expect(try await world.ferry("sync").code == 0)
    let verify = try await world.ferry("verify")
    #expect(verify.code == 0, "\(verify.output)")
    let kinds = ColumnHelp.rows.indices.map { "typeof(\(Self.field($0)))" }
    let stored = try await sql(
      "SELECT \(kinds.joined(separator: " || char(10) || ")) FROM Match;", in: world)
    #expect(stored == ColumnHelp.rows.map { $0.column.lowercased() })
  }

  @Test(arguments: [
    "localId = 9", "objectId = 'x'", "createdAt = NULL", "updatedAt = '1'",
  ])
  func `a statement that changes a column of the server's is refused`(
    change: String
  ) async throws {
    let world = try ToolWorld()
    try world.fill(games: 1)
    try world.configure()
    #expect(try await world.ferry("sync").code == 0)
    let result = try await world.shell("sqlite3 store.sqlite \"UPDATE Game SET \(change)\"")
    #expect(result.code != 0)
    #expect(!result.errors.isEmpty)
  }

  @Test func `the article on columns has the rows of the tool`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/Ferry/Ferry.docc/columns.md").standardized
    let article = try String(contentsOf: file, encoding: .utf8)
    for row in ColumnHelp.rows {
      let sql = row.sql.map { " `\($0)` |" } ?? " |"
      let line = "| \(row.type) | `\(row.swift)` | \(row.column) | \(row.content) |\(sql)\n"
      #expect(article.contains(line), "\(line)")
    }
  }
}
