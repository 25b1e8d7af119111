// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Foundation
import Testing

/// Ferry's notes as text.
struct StoredJSONTests {
  private enum Mark: String, Codable { case first, second }
  private enum Place: Codable, Equatable {
    case nowhere
    case at(x: Int, y: Double)
  }

  private struct Note: Codable, Equatable {
    var text = "a\"b\n"
    var number = -3
    var large = Int64.max
    var fraction = 0.1
    var truth = true
    var mark = Mark.second
    var place = Place.at(x: 1, y: 2.5)
    var time = Timestamp(milliseconds: 250)
    var pointer = Pointer(className: "Game", objectID: "g1")
    var times = ["__type": Timestamp(milliseconds: 1), "b": Timestamp(milliseconds: 2)]
    var set: Set<String> = ["x"]
    var missing: String?
    var present: Int? = 7
    var list: [Place] = [.nowhere]
    var values: Fields = ["a": 1]
  }

  private func again<Content: Codable>(_ note: Content) throws -> Content {
    try StoredJSON.note(Content.self, from: StoredJSON.text(note))
  }

  @Test func `a note reads as it was written`() throws {
    #expect(try again(Note()) == Note())
    #expect(try again(String?.none) == nil)
    #expect(try again(String?.some("a")) == "a")
  }

  @Test(
    arguments: [
      .null, true, 7, 2.5, "text", .date(Timestamp(milliseconds: 0)), .bytes([1, 2]),
      .pointer(Pointer(className: "Game", objectID: "g1")),
      .geoPoint(GeoPoint(latitude: 1, longitude: 2)), .file(File(name: "a.txt", url: nil)),
      .relation(className: "Fan"), .object(["k": .array([1, .null])]),
      .array([.object(["__type": "Relation", "className": "Fan"])]),
      .number(.infinity), .number(-.infinity), .array([.number(.infinity)]),
    ] as [Value])
  func `values of each kind read as they were written`(_ value: Value) throws {
    let fields: Fields = ["field": value]
    #expect(try again(fields) == fields)
    #expect(try Self.isRelation(again(fields)["field"]) == Self.isRelation(value))
    #expect(try again(value) == value)
  }

  private static func isRelation(_ value: Value?) -> Bool {
    if case .relation? = value { true } else { false }
  }

  @Test func `equal notes have equal text, and a missing optional none`() throws {
    let text = try StoredJSON.text(["b": 1, "a": 2])
    #expect(text == #"{"a":2,"b":1}"#)
    #expect(try !StoredJSON.text(Note()).contains("missing"))
  }

  @Test(arguments: [
    "", "{", "[]", "7", "null", #"{"text":1}"#, #"{"text":"a"}"#, #"{"a":1}{"#,
  ])
  func `another text is refused`(_ text: String) {
    #expect(throws: (any Error).self) { try StoredJSON.note(Note.self, from: text) }
  }
}
