// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Foundation
import Testing

/// Equality by meaning, the JSON of the wire, and the values that fields accept.
@Suite(.timeLimit(.minutes(5)))
struct ValueTests {
  @Test(
    arguments: [
      (1, 1.0, true), (1, 2, false), (1.5, 1, false), ("é", "e\u{301}", false), ("a", "a", true),
      (.null, false, false), (["a": 1, "b": 2], ["b": 2.0, "a": 1], true),
      ([1, 2], [2, 1], false), (["é": 1], ["e\u{301}": 1], false),
      (.file(File(name: "a", url: "x")), .file(File(name: "a", url: "y")), true),
      (.file(File(name: "a")), .file(File(name: "b")), false),
      (
        .polygon(square), .polygon(square + [square[0]]), true
      ),
      (.polygon(square), .polygon(square.reversed()), false),
      (.integer(9_007_199_254_740_993), .number(9_007_199_254_740_992), false),
    ] as [(Value, Value, Bool)])
  func `values are equal by their meaning`(left: Value, right: Value, isEqual: Bool) {
    #expect((left == right) == isEqual)
    #expect((right == left) == isEqual)
  }

  @Test func `a text with interpolations is a value`() {
    let number = 3
    let fields: Fields = ["text": "edited \(number) times", "plain": "x"]
    #expect(fields["text"] == .string("edited 3 times"))
  }

  private static let square = [
    GeoPoint(latitude: 0, longitude: 0), GeoPoint(latitude: 0, longitude: 1),
    GeoPoint(latitude: 1, longitude: 1),
  ]

  static let wire: [(Value, String)] = [
    (.null, "null"), (true, "true"), (-7, "-7"), (1.5, "1.5"), (2.0, "2"), (1e300, "1e+300"),
    (.number(.nan), "null"), ("a\"\\\n\r\t\u{1}é😀", #""a\"\\\n\r\t\u0001é😀""#),
    ([1, ["b": 2, "a": .null]], #"[1,{"a":null,"b":2}]"#),
    (
      .date(Timestamp(milliseconds: 1_772_389_800_250)),
      #"{"__type":"Date","iso":"2026-03-01T18:30:00.250Z"}"#
    ),
    (.bytes([104, 105]), #"{"__type":"Bytes","base64":"aGk="}"#),
    (
      .pointer(Pointer(className: "League", objectID: "l1")),
      #"{"__type":"Pointer","className":"League","objectId":"l1"}"#
    ),
    (.relation(className: "Fan"), #"{"__type":"Relation","className":"Fan"}"#),
    (
      .geoPoint(GeoPoint(latitude: 1, longitude: -2.5)),
      #"{"__type":"GeoPoint","latitude":1,"longitude":-2.5}"#
    ),
    (
      .polygon(square), #"{"__type":"Polygon","coordinates":[[0,0],[0,1],[1,1]]}"#
    ),
    (
      .file(File(name: "a.jpg", url: "u")), #"{"__type":"File","name":"a.jpg","url":"u"}"#
    ),
  ]

  @Test(arguments: wire) func `values are written in the JSON of the wire`(
    value: Value, text: String
  ) {
    #expect(WireJSON.text(value) == text)
  }

  @Test(arguments: wire.filter { $0.1 != "null" })
  func `the JSON of the wire is read`(value: Value, text: String) {
    #expect(Value(wireJSON: text) == value)
  }

  @Test(arguments: [
    "", "{", #"{"a":}"#, "[1",
  ])
  func `broken JSON is no value`(text: String) {
    #expect(Value(wireJSON: text) == nil)
  }

  @Test func `an object of an unknown type is an object`() {
    #expect(Value(wireJSON: #"{"__type":"Odd","x":1}"#) == ["__type": "Odd", "x": 1])
    #expect(
      Value(wireJSON: #"{"__type":"Date","iso":"x"}"#) == ["__type": "Date", "iso": "x"])
  }

  @Test(
    arguments: [
      (.text, "x", nil), (.text, .null, nil), (.text, 1, "A whole number"),
      (.integer, 9_007_199_254_740_992, nil), (.integer, 9_007_199_254_740_993, "2^53"),
      (.integer, .number(1e18), "2^53"), (.integer, 1.5, "A number"),
      (.number, .number(.infinity), "finite"),
      (.number, 9_007_199_254_740_993, "2^53"), (.array, [[9_007_199_254_740_993]], "2^53"),
      (.object, ["a": ["b": -9_007_199_254_740_993]], "2^53"),
      (.date, .date(Timestamp(milliseconds: .max)), "9999"),
      (.date, .date(.earliest), "0001"), (.date, .date(Timestamp.storable.lowerBound), nil),
      (.geoPoint, .geoPoint(GeoPoint(latitude: .nan, longitude: 0)), "finite"),
      (.array, [.relation(className: "Fan")], "relation"),
      (.pointer(to: "League"), .pointer(Pointer(className: "Team", objectID: "x")), "to Team"),
      (.array, nested(99), nil), (.array, nested(101), "nested"),
    ] as [(FieldType, Value, String?)])
  func `only what Parse keeps may be written`(type: FieldType, value: Value, reason: String?) {
    let refusal = value.reason(againstWritingTo: type)
    #expect((refusal == nil) == (reason == nil))
    if let reason { #expect(refusal?.sentence.contains(reason) == true) }
  }

  private static func nested(_ depth: Int) -> Value {
    (0..<depth).reduce(Value.array([])) { value, _ in .array([value]) }
  }

  @Test func `numbers are kept as declared`() {
    guard case .number(2) = Value.integer(2).normalized(for: .number),
      case .integer(2) = Value.number(2).normalized(for: .integer),
      case .number(2.5) = Value.number(2.5).normalized(for: .integer)
    else { return #expect(Bool(false)) }
  }

  @Test func `pointers are replaced, however deep`() {
    func pointer(_ id: String, _ name: String = "League") -> Value {
      .pointer(Pointer(className: name, objectID: id))
    }
    let value: Value = ["a": [pointer("old"), ["b": pointer("old")], pointer("old", "Team"), 1]]
    #expect(
      value.replacingPointers("League", from: "old", to: "new")
        == ["a": [pointer("new"), ["b": pointer("new")], pointer("old", "Team"), 1]])
    #expect(value.replacingPointers("League", from: "other", to: "new") == nil)
    let minted = "0123456789abcdef0123"
    #expect(Fields(["x": [pointer(minted), pointer("l1")]]).mintedPointerIDs == [minted])
  }

  @Test func `minted ids are told from the server's ids`() {
    var generator = SystemRandomNumberGenerator()
    let id = MintedID.make(using: &generator)
    #expect(MintedID.matches(id))
    for other in ["", "Ed1nuqPvcm", id.uppercased() + "x", id + "0", "g123456789abcdef0123"] {
      #expect(!MintedID.matches(other))
    }
  }

  @Test func `differences treat absent as null`() {
    let left: Fields = ["a": 1, "b": .null, "c": 2]
    #expect(left.difference(from: ["a": 1.0, "c": 3, "d": .null, "e": 4]) == ["c", "e"])
  }

  @Test func `a relation inside a value stays the plain object that it was`() throws {
    let object: Value = ["__type": "Relation", "className": "A"]
    for value in [[object], ["a": object]] as [Value] {
      #expect(try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value)) == value)
    }
  }

  @Test(arguments: [-1.2345012345678902e18, 9.007199254740994e15, 1e15, 3, 0.5, 1e300, -0.0])
  func `a number is the same number after a store has read it again`(number: Double) throws {
    let value: Value = [.number(number)]
    #expect(try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value)) == value)
  }
}
