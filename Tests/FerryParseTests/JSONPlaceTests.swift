// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryParse
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct JSONPlaceTests {
  @Test(arguments: [
    ("{\n  \"a\": 1,\n}", 3, 1), ("{\n\"a\" 1}", 2, 5), ("[1 2]", 1, 4), ("[tru]", 1, 2),
    ("", 1, 1),
    ("{} x", 1, 4), ("[\n[\n\"a\u{1}\"]]", 3, 3), (#"["\x"]"#, 1, 3), (#"["\u12g4"]"#, 1, 3),
    ("[01]", 1, 3),
    ("[1.]", 1, 4), ("[1e]", 1, 4), ("[-]", 1, 3), ("{\"a\":{\"b\":[1,2}", 1, 15),
    ("{a:1}", 1, 2),
  ])
  func `the place of a fault in JSON is that of the first`(text: String, line: Int, column: Int)
    throws
  {
    let place = try #require(JSONPlace.firstFault(in: Data(text.utf8))?.place)
    #expect(place.line == line)
    #expect(place.column == column)
    #expect(throws: JSONError.self) { try JSONReader().read(Data(text.utf8)) { _ in } }
  }

  @Test(arguments: [
    ("{\n  \"a\": 1,\n}", "a key in double quotes"), ("{\"a\" 1}", "a colon after the key"),
    ("[1 2]", "a comma or ]"), ("{\"a\":1 \"b\":2}", "a comma or }"), ("{\"a\":}", "a value"),
    ("", "a value"), ("{} x", "the end of the text"), ("[\"a", "the closing quote of the text"),
    (#"["\x"]"#, "an escape that JSON knows"),
    (#"["\u12g4"]"#, "four hexadecimal digits after \\u"),
    ("[tru]", "a value"), ("[1.]", "a value"),
  ])
  func `the place of a fault in JSON comes with what should stand there`(
    text: String, expected: String
  ) {
    #expect(JSONPlace.firstFault(in: Data(text.utf8))?.expected == expected)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `no place in JSON is named where the reader finds no fault`(seed: UInt64) throws {
    var random = JSONTextGenerator(seed: seed)
    let reader = JSONReader()
    for _ in 0..<100 {
      let whole = Data(random.document().utf8)
      #expect(JSONPlace.firstFault(in: whole)?.place == nil)
      let damaged = random.damaged(whole)
      do {
        _ = try reader.read(damaged) { _ in }
        #expect(JSONPlace.firstFault(in: damaged)?.place == nil)
      } catch let error as JSONError {
        if [.notUTF8, .badString, .badNumber].contains(error.code) { continue }
        #expect(JSONPlace.firstFault(in: damaged)?.place != nil)
      }
    }
  }

  @Test func `the place of a value in JSON is that where its keys lead`() {
    let text = Data("{\"classes\": {\n \"Game\": {\"fields\": {\n\n  \"title\": 7}}}}".utf8)
    #expect(JSONPlace.ofValue(at: ["classes", "Game", "fields", "title"], in: text)?.line == 4)
    #expect(JSONPlace.ofValue(at: ["classes", "Game"], in: text)?.line == 2)
    #expect(JSONPlace.ofValue(at: [], in: text)?.column == 1)
    #expect(JSONPlace.ofValue(at: ["classes", "Team"], in: text) == nil)
    #expect(JSONPlace.ofValue(at: ["classes", "Game", "fields", "title", "x"], in: text) == nil)
  }
}
