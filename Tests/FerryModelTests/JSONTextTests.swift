// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Foundation
import Randomness
import Testing

/// The reader of JSON columns decides like Foundation's.
struct JSONTextTests {
  /// What Foundation's reader makes of a text.
  private static func reference(_ text: String) -> Value? {
    try? JSONDecoder().decode(Value.self, from: Data(text.utf8))
  }

  @Test(arguments: [
    "null", "true", "false", " \t\r\n[ ]\n", "{}", "[1,2.5,-3,\"a\"]", #"{"a":{"b":[null]}}"#, "0",
    "-0",
    "-0.0", "1.0", "1e2", "1E+2", "1e-2", "9223372036854775807", "9223372036854775808",
    "-9223372036854775808", "-9223372036854775809", "1e308", "123456789012345678901234567890",
    "0.1",
    #""""#, #""\"\\\/\b\f\n\r\t""#, #""\u00e4\u20AC\ud83d\uDE00""#, "\"ä€😀\"",
    #"{"__type":"Date","iso":"2026-03-01T18:30:00.250Z"}"#, #"{"__type":"Date","iso":"no"}"#,
    #"{"__type":"Pointer","className":"A","objectId":"b"}"#, #"{"__type":7}"#,
    #"{"__type":"GeoPoint","latitude":1,"longitude":2.5}"#,
    #"{"__type":"Relation","className":"Fan"}"#, #"[{"__type":"Relation","className":"Fan"}]"#,
    #"{"a":{"__type":"Relation","className":"Fan"}}"#,
  ])
  func `a JSON text is read as Foundation reads it`(_ text: String) throws {
    let value = try #require(Value(wireJSON: text))
    #expect(value == Self.reference(text))
  }

  @Test(arguments: [
    "", " ", "nul", "nulls", "tru", "True", "[", "[1", "[1,", "[1,]", "[,1]", "{", #"{"a"}"#,
    #"{"a":}"#,
    #"{"a":1,}"#, "{a:1}", "{1:1}", "]", "1 2", "01", "-", "1.", ".5", "+1", "1e", "1e+", "1e999",
    "NaN",
    "Infinity", "0x1", "\"", #""\""#, #""\x""#, #""\u12""#, #""\u12g4""#, #""\ud83d""#,
    #""\ud83dx""#,
    #""\ude00""#, #""\ud83d\u0041""#, "\"\u{1}\"", "\"\n\"", "'a'", "[1]x", "//", "\u{FEFF}1",
  ])
  func `a text that is no JSON is refused`(_ text: String) {
    #expect(Value(wireJSON: text) == nil)
    #expect(Self.isLenient(text) || Self.reference(text) == nil)
  }

  /// Whether Foundation accepts or rounds what RFC 8259 or JavaScript does not: a comma behind the last
  /// element, a byte order mark, and digits of a fraction or a power that a double does not hold.
  private static func isLenient(_ text: String) -> Bool {
    text.contains(/,\s*[}\]]/) || text.hasPrefix("\u{FEFF}")
      || text.contains(/\d{16}.*[.eE]|\d{16}[.eE]|[.]\d*[eE]/)
  }

  @Test(arguments: [
    #"{"a":1,"a":2}"#, #"{"a":1,"a":1}"#, #"[{"a":{"b":1,"b":2}}]"#, #"{"\u00e9":1,"e\u0301":2}"#,
    #"{"a":1,"\u0061":2}"#,
  ])
  func `two members of one name are refused`(_ text: String) {
    #expect(Value(wireJSON: text) == nil)
  }

  @Test(arguments: [
    ("2.2413200203295693e+18", Value.number(2.2413200203295693e18)),
    ("77212467834177624.3", .number(77212467834177624.3)),
    ("9007199254740991.0", .integer(9_007_199_254_740_991)),
    ("9007199254740992.0", .number(9_007_199_254_740_992)),
    ("9007199254740993", .integer(9_007_199_254_740_993)),
  ])
  func `a number that is not written as an integer is a double`(_ text: String, _ value: Value) {
    #expect(Value(wireJSON: text) == value)
  }

  @Test func `texts that nest too deep are refused, whatever their length`() {
    for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
      func nested(_ depth: Int) -> String {
        String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
      }
      #expect(Value(wireJSON: nested(400)) != nil)
      #expect(Value(wireJSON: nested(600)) == nil)
      #expect(Value(wireJSON: String(repeating: open, count: 1_000_000)) == nil)
    }
  }

  @Test(arguments: 0..<40)
  func `generated values, whole and damaged, are read as Foundation reads them`(
    seed: Int
  ) {
    var generator = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<100 {
      let value = Self.value(depth: 0, &generator)
      let text = value.json
      let reread = Value(wireJSON: text)
      #expect(reread?.json == text)
      if !Self.isLenient(text) { #expect(reread == Self.reference(text), "\(text)") }
      let damaged = Self.damaged(text, &generator)
      if !Self.isLenient(damaged) {
        #expect(Value(wireJSON: damaged) == Self.reference(damaged), "\(damaged)")
      }
    }
  }

  /// The text with one byte less, more, or changed; always UTF-8, as SQLite hands it out.
  private static func damaged(_ text: String, _ generator: inout SeededGenerator) -> String {
    var bytes = Array(text.utf8)
    let place = Int.random(in: 0..<bytes.count, using: &generator)
    let byte = Array(#"{}[]",:0123456789.eE+-\ultrnfase xyz"#.utf8).randomElement(using: &generator)
    switch (0..<3).randomElement(using: &generator) {
    case 0: bytes.remove(at: place)
    case 1: bytes.insert(byte ?? 0x20, at: place)
    default: bytes[place] = byte ?? 0x20
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func value(depth: Int, _ generator: inout SeededGenerator) -> Value {
    switch Int.random(in: 0..<(depth < 4 ? 12 : 8), using: &generator) {
    case 0: return .null
    case 1: return .boolean(Bool.random(using: &generator))
    case 2: return .integer(Int64.random(in: Int64.min...Int64.max, using: &generator))
    case 3: return .integer(Int64.random(in: -9...99, using: &generator))
    case 4: return .number(Double(bitPattern: UInt64.random(in: 0...UInt64.max, using: &generator)))
    case 5: return .number(Double(Int.random(in: -999...999, using: &generator)) / 100)
    case 6: return .string(text(&generator))
    case 7:
      return .date(
        Timestamp(milliseconds: Int64.random(in: 0...4_000_000_000_000, using: &generator)))
    case 8, 9:
      let count = Int.random(in: 0...4, using: &generator)
      return .array((0..<count).map { _ in value(depth: depth + 1, &generator) })
    case 10: return .pointer(Pointer(className: "Game", objectID: text(&generator)))
    default:
      var members: [String: Value] = [:]
      for _ in 0..<Int.random(in: 0...4, using: &generator) {
        members[text(&generator)] = value(depth: depth + 1, &generator)
      }
      return .object(members)
    }
  }

  private static func text(_ generator: inout SeededGenerator) -> String {
    let characters = Array("aäß€😀\"\\/\n\t\u{1}\u{7F}__type iso")
    return String(
      (0..<Int.random(in: 0...8, using: &generator)).map { _ in
        characters.randomElement(using: &generator) ?? "a"
      })
  }
}
