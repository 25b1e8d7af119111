// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import Foundation
import Testing

@testable import FerryTool

@Suite(.timeLimit(.minutes(10)))
struct ConfigurationTests {
  private static let full = """
    {
      "server": "https://parse.example.com/1",
      "applicationId": "demo",
      "restKeyFile": "rest.key",
      "classes": {
        "League": { "fields": { "name": { "type": "String" } }, "deletions": "fullScan" },
        "Game": {
          "fields": {
            "title": { "type": "String" },
            "score": { "type": "Number", "integer": true },
            "rating": { "type": "Number" },
            "isOver": { "type": "Boolean" },
            "playedAt": { "type": "Date" },
            "league": { "type": "Pointer", "targetClass": "League" },
            "order": { "type": "String", "column": "orderText" },
            "isRemoved": { "type": "Boolean" }
          },
          "deletions": { "softDelete": "isRemoved" }
        }
      }
    }
    """

  @Test func `ferry.json is read as it was written`() throws {
    let configuration = try SyncConfiguration(json: Data(Self.full.utf8))
    #expect(configuration.server.absoluteString == "https://parse.example.com/1")
    #expect(configuration.applicationID == "demo")
    #expect(configuration.keyFiles == [.restKey: "rest.key"])
    #expect(configuration.schema.entities.map(\.name) == ["League", "Game"])
    #expect(configuration.schema.entity("Game")?.field("score")?.type == .integer)
    #expect(configuration.schema.entity("Game")?.field("rating")?.type == .number)
    #expect(configuration.schema.entity("Game")?.field("order")?.column == "orderText")
    let again = try SyncConfiguration(json: Data(configuration.json.utf8))
    #expect(again.json == configuration.json)
    for (left, right) in zip(configuration.schema.entities, again.schema.entities) {
      #expect(left.fields == right.fields)
      #expect(left.deletionStrategy == right.deletionStrategy)
    }
    try Snapshot.expect(configuration.json, is: "configuration/ferry.json")
  }

  @Test func `the example in the help is a valid ferry.json`() throws {
    let page = ConfigurationHelp.text
    let start = try #require(page.range(of: "\n\n{\n"))
    let end = try #require(page.range(of: "\n}\n", range: start.upperBound..<page.endIndex))
    let example = "{\n\(page[start.upperBound..<end.upperBound])"
    let configuration = try SyncConfiguration(json: Data(example.utf8))
    #expect(configuration.schema.entities.count == 2)
  }

  @Test(arguments: [
    ("comma", "{\n  \"server\": \"https://a.b/1\"\n  \"applicationId\": \"x\"\n}"),
    ("trailing-comma", "{\n  \"server\": \"https://a.b/1\",\n}"),
    ("cut-short", "{\n  \"server\": \"https://a.b"),
    ("empty", ""),
    ("array", "[]"),
    ("not-utf8", "{\n  \"server\": \"\u{0}\""),
    ("no-server", "{\"applicationId\": \"x\", \"classes\": {}}"),
    ("no-classes", "{\"server\": \"https://a.b/1\", \"applicationId\": \"x\"}"),
    ("server-no-url", "{\n\"server\": \"parse\", \"applicationId\": \"x\", \"classes\": {}}"),
    ("server-number", "{\n\n\"server\": 7}"),
    ("unknown-key", "{\n\"servr\": \"https://a.b/1\"}"),
    ("key-in-file", "{\n\"masterKey\": \"mk\"}"),
    ("twice", "{\n\"server\": \"https://a.b/1\",\n\"server\": \"https://a.b/2\"}"),
  ])
  func `a fault in ferry.json is refused with its place`(name: String, text: String) throws {
    let fault = #expect(throws: SyncConfigurationError.self) {
      try SyncConfiguration(json: Data(text.utf8))
    }
    try Snapshot.expect(fault.map(described) ?? "", is: "configuration/\(name)")
  }

  @Test(arguments: [
    ("field-type", "\"Game\": { \"fields\": { \"title\": { \"type\": \"Text\" } } }"),
    ("field-without-type", "\"Game\": { \"fields\": {\n \"title\": {} } }"),
    (
      "pointer-without-target",
      "\"Game\": { \"fields\": { \"league\": { \"type\": \"Pointer\" } } }"
    ),
    ("deletions", "\"Game\": { \"fields\": {},\n\"deletions\": \"always\" }"),
    ("misspelt", "\"Game\": { \"fields\": {},\n\"delitions\": \"never\" }"),
    ("class-twice", "\"Game\": { \"fields\": {} },\n\"Game\": { \"fields\": {} }"),
    ("twin-classes", "\"Note\": { \"fields\": {} },\n\"note\": { \"fields\": {} }"),
    (
      "twin-fields",
      "\"Note\": { \"fields\": { \"name\": { \"type\": \"String\" },\n"
        + "\"Name\": { \"type\": \"String\" } } }"
    ),
    ("soft-delete", "\"Note\": { \"fields\": {}, \"deletions\": { \"softDelete\": \"gone\" } }"),
    ("no-class", ""),
    (
      "integer-text",
      "\"Note\": { \"fields\": { \"name\": { \"type\": \"String\",\n\"integer\": true } } }"
    ),
    ("indexes", "\"Note\": { \"fields\": {},\n\"indexes\": [\"name\"] }"),
    (
      "index-field",
      "\"Note\": { \"fields\": { \"name\": { \"type\": \"String\" } },\n\"indexes\": [[\"nam\"]] }"
    ),
    (
      "integer-number",
      "\"Note\": { \"fields\": { \"size\": { \"type\": \"Number\",\n\"integer\": 1 } } }"
    ),
  ])
  func `a wrong class or field in ferry.json is refused with its place`(
    name: String, classes: String
  ) throws {
    let text = """
      {
        "server": "https://parse.example.com/1",
        "applicationId": "demo",
        "classes": {
          \(classes)
        }
      }
      """
    let fault = #expect(throws: SyncConfigurationError.self) {
      try SyncConfiguration(json: Data(text.utf8))
    }
    try Snapshot.expect(fault.map(described) ?? "", is: "configuration/class-\(name)")
  }

  @Test func `a line of ferry.json that is not UTF-8 is named`() {
    let text = Data("{\n\"server\": \"".utf8) + Data([0xFF, 0xFE]) + Data("\"\n}".utf8)
    let fault = #expect(throws: SyncConfigurationError.self) { try SyncConfiguration(json: text) }
    #expect(fault?.line == 2)
  }

  @Test func `ferry.json accepts the other members of Parse's own schemas`() throws {
    let text = """
      {"server": "https://a.b/1", "applicationId": "x", "classes": {"Game": {"className": "Game",
      "fields": {"objectId": {"type": "String"}, "createdAt": {"type": "Date"},
      "updatedAt": {"type": "Date"}, "ACL": {"type": "ACL"}, "title": {"type": "String",
      "required": true}}, "classLevelPermissions": {"find": {"*": true}}, "indexes": {}}}}
      """
    let configuration = try SyncConfiguration(json: Data(text.utf8))
    #expect(configuration.schema.entities.first?.fields.map(\.name) == ["title"])
  }

  private func described(_ fault: SyncConfigurationError) -> String {
    "\(fault.line):\(fault.column): \(fault.words)"
  }
}
