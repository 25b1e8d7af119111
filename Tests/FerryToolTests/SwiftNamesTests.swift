// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import Testing

@testable import FerryTool

/// The names that classes and fields get in Swift.
@Suite(.timeLimit(.minutes(10)))
struct SwiftNamesTests {
  @Test(
    arguments: [
      (["Game", "League"], ["Game", "League"]),
      (["_User", "_Role"], ["User", "Role"]),
      (["_User", "User", "user"], ["UserRow", "User", "UserRowRow"]),
      (["game", "Game"], ["GameRow", "Game"]),
      (["Value", "ValueRow", "value"], ["ValueRowRow", "ValueRow", "ValueRowRowRow"]),
      (["self", "init", "Type"], ["SelfRow", "Init", "TypeRow"]),
    ])
  func `a class keeps its name where it can`(classes: [String], types: [String]) {
    #expect(SwiftNames.types(of: classes) == types)
  }

  @Test(
    arguments: [
      (["title", "class", "description"], ["title", "class", "description"]),
      (["self", "selfField"], ["selfFieldField", "selfField"]),
      (["init", "Date", "FieldName"], ["initField", "DateField", "FieldNameField"]),
    ])
  func `a field keeps its name where it can`(fields: [String], properties: [String]) {
    #expect(SwiftNames.properties(of: fields) == properties)
    #expect(SwiftNames.quoted("class") == "`class`")
    #expect(SwiftNames.quoted("title") == "title")
  }

  /// A struct of that name would hide Ferry's type from the app.
  @Test func `no struct has the name of a public type of Ferry`() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources").standardized
    let files = try #require(
      FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var found = Set<String>()
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      let pattern =
        /(?m)^(?:@resultBuilder\n)?public (?:final |indirect )?(?:struct|class|enum|protocol|actor|typealias) (\w+)/
      for match in text.matches(of: pattern) { found.insert(String(match.1)) }
    }
    #expect(found.count > 50)
    let hidden = found.filter { SwiftNames.types(of: [$0]) == [$0] }
    #expect(hidden.sorted() == [])
  }
}
