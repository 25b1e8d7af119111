// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryParse
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct JSONReaderTests {
  private func tree(_ text: String, limits: JSONReader.Limits = .init()) throws -> JSONTree {
    try JSONReader(limits: limits).read(Data(text.utf8)) { JSONTree($0) }
  }

  @Test(arguments: [
    ("null", JSONTree.null), ("true", .boolean(true)), (" false ", .boolean(false)),
    ("0", .number(0)), ("-7", .number(-7)), ("18446744073709551615", .number(0x1p64)),
    ("1.5e3", .number(1500)), ("1e-400", .number(0)), ("\"\"", .string("")),
    ("\"a\\u00e9\\n\\ud83d\\ude00\\u0000\"", .string("a\u{e9}\n\u{1F600}\u{0}")),
    ("[]", .array([])), ("{}", .object([:])),
    ("[[],{},[1]]", .array([.array([]), .object([:]), .array([.number(1)])])),
    (
      "{\"a\":{\"b\":[1,\"x\",null]},\"c\":true}",
      .object([
        "a": .object(["b": .array([.number(1), .string("x"), .null])]), "c": .boolean(true),
      ])
    ),
  ])
  func `the JSON reader reads every kind of value`(text: String, expected: JSONTree) throws {
    #expect(try tree(text) == expected)
  }

  @Test(arguments: [
    ("100000000000000000000", 1e20), ("-100000000000000000000", -1e20),
    ("18446744073709551616", 0x1p64), ("-9223372036854775809", -0x1p63),
    ("123456789012345680000", 1.2345678901234568e20),
    ("999999999999999900000", 9.999999999999999e20),
  ])
  func `the JSON reader reads integers as JavaScript writes them`(
    text: String, expected: Double
  ) throws {
    let json =
      #"{"a": "\\\"12345678901234567890123", "b": [\#(text), -1, "x", 1.12345678901234567890, 1e-2]}"#
    let reader = JSONReader()
    let tree = try reader.read(Data(json.utf8)) { JSONTree($0) }
    #expect(
      tree
        == .object([
          "a": .string("\\\"12345678901234567890123"),
          "b": .array([
            .number(expected), .number(-1), .string("x"), .number(1.12345678901234567890),
            .number(0.01),
          ]),
        ]))
    #expect(String(decoding: reader.source, as: UTF8.self) == json)
  }

  @Test(arguments: [
    ("", JSONError.Code.empty), (" \n", .empty),
    ("{\"results\":[{\"a\":1},{\"b\":", .cutShort), ("[\"a", .cutShort), ("[1", .cutShort),
    ("{\"a\":\"\\", .cutShort),
    ("[1e400]", .badNumber), ("[01]", .badNumber), ("[012345678901234567890]", .badNumber),
    ("[1e12345678901234567890]", .badNumber), ("[18446744073709551616,01]", .badNumber),
    ("[\"\\ud800\"]", .badString), ("[\"\\udc00\"]", .badString), ("[\"\u{1}\"]", .badString),
    ("[1,]", .badStructure), ("{} {}", .badStructure), ("[nul]", .badStructure),
    ("{\"a\" 1}", .badStructure), ("\u{FEFF}{}", .badStructure), ("<html>", .badStructure),
    ("[1}", .badStructure),
  ])
  func `the JSON reader refuses with the reason`(text: String, code: JSONError.Code) throws {
    let error = #expect(throws: JSONError.self) { try tree(text) }
    #expect(error?.code == code)
    #expect(error?.description.hasSuffix(".") == true)
  }

  @Test func `the JSON reader refuses bytes that are not UTF-8`() throws {
    for bytes: [UInt8] in [[0xFF], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0xF5, 0x80, 0x80, 0x80]] {
      let text = Data([0x22] + bytes + [0x22])
      let error = #expect(throws: JSONError.self) { try JSONReader().read(text) { JSONTree($0) } }
      #expect(error?.code == .notUTF8)
    }
  }

  @Test(arguments: [(9, true), (10, false), (1_000_000, false)])
  func `the JSON reader keeps its limits`(levels: Int, allowed: Bool) throws {
    var limits = JSONReader.Limits()
    limits.depth = 9
    let text = String(repeating: "[", count: levels) + "1" + String(repeating: "]", count: levels)
    if allowed {
      _ = try tree(text, limits: limits)
    } else {
      #expect(throws: JSONError(.tooDeep, "is nested deeper than the 9 levels allowed")) {
        try tree(text, limits: limits)
      }
    }
  }

  @Test func `the JSON reader refuses what is longer than allowed, and reads on afterwards`() throws
  {
    var limits = JSONReader.Limits()
    limits.bytes = 10
    let reader = JSONReader(limits: limits)
    #expect(throws: JSONError(.tooLarge, "is longer than the 10 bytes allowed")) {
      try reader.read(Data("[1,2,3,4,5]".utf8)) { JSONTree($0) }
    }
    #expect(try reader.read(Data("[1,2,3,45]".utf8)) { $0.array?.count(where: { _ in true }) } == 4)
  }

  @Test func `the JSON reader is used again for documents that grow, shrink and fail`() throws {
    let reader = JSONReader()
    for count in [1, 200_000, 3, 0, 50_000] {
      let text = "[" + Array(repeating: "7", count: count).joined(separator: ",") + "]"
      let sum = try reader.read(Data(text.utf8)) { $0.array?.reduce(0) { $0 + ($1.integer ?? 0) } }
      #expect(sum == Int64(7 * count))
      #expect(throws: JSONError.self) { try reader.read(Data("[".utf8)) { _ in } }
    }
  }

  @Test func `the JSON reader gives numbers exactly where they are integers`() throws {
    try JSONReader().read(
      Data("[9007199254740993,-9223372036854775808,1.0,9223372036854775808]".utf8)
    ) {
      #expect($0.array?.map(\.integer) == [9_007_199_254_740_993, .min, nil, nil])
    }
  }
}
