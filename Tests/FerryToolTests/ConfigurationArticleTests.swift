// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import Foundation
import Testing

/// The article about `ferry.json`, compared with the code that reads the file.
@Suite struct ConfigurationArticleTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../..").standardized

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  @Test func `the article lists each key that the file may have`() throws {
    let reader = try Self.text("Sources/FerryParse/Schemas/SchemaReader.swift")
    let keys = try [
      "file": Set(SyncConfiguration.keys), "class": Self.keys("classKeys", in: reader),
      "field": Self.keys("fieldKeys", in: reader),
    ]
    let article = try Self.text("Sources/Ferry/Ferry.docc/ferry-json.md")
    for (table, expected) in keys {
      let head = try #require(article.range(of: "\n| \(table) | type | default | meaning |\n"))
      let rows = article[head.upperBound...]
        .split(separator: "\n", omittingEmptySubsequences: false).prefix { $0.hasPrefix("|") }
      let documented = rows.flatMap { row in
        (row.split(separator: "|").first ?? "").matches(of: #/`(\w+)`/#).map { String($0.1) }
      }
      #expect(Set(documented) == expected, "\(table)")
      #expect(documented.count == expected.count, "\(table)")
    }
  }

  @Test func `the example of the article is a file that can be read`() throws {
    let article = try Self.text("Sources/Ferry/Ferry.docc/ferry-json.md")
    let example = try #require(article.firstMatch(of: #/```json\n(.*?)```/#.dotMatchesNewlines()))
    let configuration = try SyncConfiguration(json: Data(String(example.1).utf8))
    let game = try #require(configuration.schema.entities.last)
    #expect(game.field("score")?.defaultValue == .integer(0))
    #expect(game.field("group")?.column == "groupName")
    #expect(game.recordFilter != nil)
  }

  private static func keys(_ name: String, in source: String) throws -> Set<String> {
    let start = try #require(source.range(of: "let \(name): Set<String> = ["))
    let list = source[start.upperBound...].prefix { $0 != "]" }
    return Set(list.matches(of: #/"(\w+)"/#).map { String($0.1) })
  }
}
