// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import Foundation
import Randomness
import Testing

@Suite(.timeLimit(.minutes(1)))
struct PageReaderTests {
  private static let own =
    #""objectId":"g1","createdAt":"2026-03-01T18:30:00.250Z","updatedAt":"2026-03-02T00:00:00.001Z""#

  private func read(_ page: String, of entity: Entity = Sample.game, key: String? = nil) throws
    -> ParsePage
  {
    var reader = PageReader(entity, clientKeyField: key)
    return try reader.read(Data(page.utf8))
  }

  private func row(_ id: String, _ more: String = "") -> String {
    #"{"objectId":"\#(id)","createdAt":"2026-01-01T00:00:00.000Z","#
      + #""updatedAt":"2026-01-02T00:00:00.000Z"\#(more)}"#
  }

  @Test func `pages hold records with every type of field`() throws {
    let page = try read(
      #"{"results":[{\#(Self.own),"ACL":{"*":{"read":true}},"title":"Zoë \ud83c\udfc6","score":3,"rating":0.5,"#
        + #""isFinal":true,"playedAt":{"__type":"Date","iso":"2026-03-01T18:30:00.250Z"},"#
        + #""league":{"__type":"Pointer","className":"League","objectId":"l1"},"#
        + #""token":{"__type":"Bytes","base64":"AQI="},"extra":{"a":[1,null,{"b":1.5}]},"#
        + #""tags":["x",{"__type":"Pointer","className":"Team","objectId":"t1"}],"#
        + #""place":{"__type":"GeoPoint","latitude":48.5,"longitude":-11},"#
        + #""area":{"__type":"Polygon","coordinates":[[0,0],[0,1],[1,1],[0,0]]},"#
        + #""badge":{"__type":"File","name":"b.png","url":"http://x/b.png"},"#
        + #""players":{"__type":"Relation","className":"Player"},"ferryKey":"k1"}],"count":7.0}"#,
      key: "ferryKey")
    #expect(page.count == 7)
    #expect(page.failures.isEmpty)
    #expect(page.rowCount == 1)
    let record = try #require(page.records.first)
    #expect(record.objectID == "g1")
    #expect(record.createdAt == Timestamp("2026-03-01T18:30:00.250Z"))
    #expect(record.version.rawValue == "2026-03-02T00:00:00.001Z")
    #expect(record.acl == ["*": ["read": true]])
    #expect(record.clientKey == "k1")
    #expect(
      record.values == [
        "Zoë \u{1F3C6}", 3, 0.5, true, .date(try #require(Timestamp("2026-03-01T18:30:00.250Z"))),
        .pointer(Pointer(className: "League", objectID: "l1")), .bytes([1, 2]),
        ["a": [1, nil, ["b": 1.5]]],
        ["x", .pointer(Pointer(className: "Team", objectID: "t1"))],
        .geoPoint(GeoPoint(latitude: 48.5, longitude: -11)),
        .polygon([
          GeoPoint(latitude: 0, longitude: 0), GeoPoint(latitude: 0, longitude: 1),
          GeoPoint(latitude: 1, longitude: 1),
        ]),
        .file(File(name: "b.png", url: "http://x/b.png")), .relation(className: "Player"),
      ])
    #expect(record.fields(of: Sample.game)["title"] == "Zoë \u{1F3C6}")
    #expect(
      page.lastObjectID == "g1")
  }

  @Test func `pages take absent fields and nulls as no value, in any order of keys`() throws {
    let page = try read(#"{"results":[{"score":null,"title":"a",\#(Self.own),"stranger":1}]}"#)
    let absent = Array(repeating: Value.null, count: 11) + [.relation(className: "Player")]
    #expect(page.records.first?.values == ["a"] + absent)
    #expect(page.count == nil)
  }

  @Test(arguments: [
    (#"{\#(own),"title":3}"#, "Its field title is not of type String but a number."),
    (#"{\#(own),"score":1.5}"#, "Its field score is not a whole number but a fraction."),
    (#"{\#(own),"score":1e300}"#, "Its field score is not a whole number but a number too large."),
    (
      #"{\#(own),"playedAt":"2026-03-01T18:30:00.250Z"}"#,
      "Its field playedAt is not of type Date but a text."
    ),
    (
      #"{\#(own),"playedAt":{"__type":"Date","iso":"yesterday"}}"#,
      "Its field playedAt is not of type Date but an object of type Date that is not well formed."
    ),
    (
      #"{\#(own),"league":{"__type":"Pointer","className":"Team","objectId":"x"}}"#,
      "Its field league is not a pointer to League but a pointer to Team."
    ),
    (
      #"{\#(own),"league":{"__type":"Pointer","className":"League"}}"#,
      "Its field league is not a pointer to League but an object of type Pointer that is not well formed."
    ),
    (
      #"{\#(own),"players":{"__type":"Relation","className":"Team"}}"#,
      "Its field players is not a relation to Player but a relation to Team."
    ),
    (
      #"{\#(own),"rating":"x","title":3,"ACL":"bad"}"#,
      "Its field ACL is not an object but a text. Its field title is not of type String but a number. "
        + "Its field rating is not of type Number but a text."
    ),
    (#"{\#(own),"extra":[1]}"#, "Its field extra is not of type Object but an array."),
    (#"{\#(own),"ACL":"bad"}"#, "Its field ACL is not an object but a text."),
    (#"{\#(own),"title":"a","title":"b"}"#, "It has the field title twice."),
    (#"{\#(own),"x":1,"y":2,"x":3}"#, "It has the field x twice."),
    (#"{\#(own),"x":1,"x":3}"#, "It has the field x twice."),
    (#"{\#(own),"extra":{"a":1,"a":2}}"#, #"It names "a" twice in one object."#),
    (
      #"{"createdAt":"2026-03-01T18:30:00.250Z","updatedAt":"2026-03-01T18:30:00.250Z"}"#,
      "It has no objectId."
    ),
    (#"{"objectId":"g1","createdAt":"2026-03-01T18:30:00.250Z"}"#, "It has no updatedAt."),
    (
      #"{"objectId":"g1","updatedAt":"2026-03-01T18:30:00.250Z"}"#,
      "It has no createdAt that is a date."
    ),
    (
      #"{"objectId":"g1","createdAt":"2026-03-01T18:30:00.250Z","updatedAt":"2026-02-30T00:00:00.000Z"}"#,
      "Its field updatedAt is not a date in text but a text."
    ),
    ("[1]", "It is not a JSON object."),
    (#"{\#(own),"rating":1e400}"#, "It holds a number that is not well formed or too large."),
    (#"{\#(own),"rating":nul}"#, "It has a bracket, comma or word where none may be."),
    (#"{\#(own),"title":"\ud800"}"#, "It holds a string that is not well formed."),
  ])
  func `pages set aside a record that cannot be read, with its text, and keep the others`(
    row poison: String, reason: String
  ) throws {
    let page = try read(
      #"{"results":[\#(row("a")), \#(poison) ,\#(row("b", #","title":"}]\"{""#))],"count":3.0}"#)
    #expect(page.records.map(\.objectID) == ["a", "b"])
    #expect(page.rowCount == 3)
    #expect(page.count == 3)
    let failure = try #require(page.failures.first)
    #expect(page.failures.count == 1)
    #expect(failure.reason == reason)
    #expect(String(decoding: failure.json, as: UTF8.self) == poison)
    #expect(failure.objectID == (poison.contains(#""objectId""#) ? "g1" : nil))
    #expect(page.lastObjectID == "b")
  }

  @Test func `pages set aside bytes that are not UTF-8, and nesting that is too deep`() throws {
    var bytes = Data(#"{"results":[\#(row("a")),{\#(Self.own),"title":""#.utf8)
    bytes.append(0xFF)
    bytes.append(
      Data(
        #""},{\#(Self.own.replacing("g1", with: "g2")),"extra":\#(String(repeating: "[", count: 500))"#
          .utf8))
    bytes.append(Data("\(String(repeating: "]", count: 500))}]}".utf8))
    var reader = PageReader(Sample.game)
    let page = try reader.read(bytes)
    #expect(page.records.map(\.objectID) == ["a"])
    #expect(page.failures.map(\.objectID) == ["g1", "g2"])
    #expect(
      page.failures.map(\.reason) == [
        "It holds bytes that are not UTF-8.", "It is nested deeper than the 128 levels allowed.",
      ])
    #expect(page.failures.first?.json.contains(0xFF) == true)
    #expect(page.lastObjectID == "g2")
  }

  @Test(
    arguments: [#""a\u0062""#, "7", #""""#, #""x","objectId":"y""#])
  func `pages guess no id of a row that hides it`(id: String) throws {
    let page = try read(#"{"results":[{"objectId":\#(id),"score":1e400}]}"#)
    #expect(page.failures.map(\.objectID) == [nil])
    #expect(page.lastObjectID == nil)
  }

  @Test func `pages set aside all rows that share an id`() throws {
    let page = try read(
      #"{"results":[\#(row("a")),\#(row("b")),\#(row("a", #","title":"x""#)),\#(row("c", #","title":1"#)),\#(row("c"))]}"#
    )
    #expect(page.records.map(\.objectID) == ["b"])
    #expect(page.failures.map(\.objectID) == ["a", "a", "c", "c"])
    #expect(Set(page.failures.map(\.reason)) == ["Its objectId occurs more than once on one page."])
    #expect(page.rowCount == 5)
  }

  @Test func `pages spell their own keys with escapes or without`() throws {
    let page = try read(#"{"\u0072esults":[\#(row("a")),1],"results":[],"c\u006funt":2,"count":3}"#)
    #expect(page.records.map(\.objectID) == ["a"])
    #expect(page.failures.map { String(decoding: $0.json, as: UTF8.self) } == ["1"])
    #expect(page.rowCount == 2 && page.count == 2)
  }

  @Test func `pages set aside rows that share an id in other letters`() throws {
    let page = try read(
      #"{"results":[\#(row("a")),\#(row(#"\u0061"#)),\#(row("a").replacing("objectId", with: #"o\u0062jectId"#))]}"#
    )
    #expect(page.records.isEmpty)
    #expect(page.failures.map(\.objectID) == ["a", "a", "a"])
  }

  @Test(arguments: [
    ("", PageError.Code.cutShort), (#"{"results":[{"objectId":"a"}"#, .cutShort),
    (#"{"results":[{"objectId":"a"#, .cutShort), (#"{"results":[]} x"#, .malformed),
    (#"{"results":[] "count":1}"#, .malformed), ("<html></html>", .malformed),
    (#"{"results":[{"a":[1}]}"#, .malformed), (#"{"results":[,]}"#, .malformed),
    (#"{"results":{}}"#, .notAPage), ("[]", .notAPage), (#"{"code":101,"error":"x"}"#, .notAPage),
    ("null", .notAPage), (#"{"results":[{"a":1}"#, .cutShort),
  ])
  func `pages are refused as a whole where no record can be told to be guilty`(
    page: String, code: PageError.Code
  ) throws {
    let error = #expect(throws: PageError.self) { try read(page) }
    #expect(error?.code == code)
    let outline = #expect(throws: PageError.self) {
      try PageOutline(Data(page.utf8), reader: JSONReader())
    }
    #expect(outline?.code == code)
  }

  @Test func `pages are refused where every row is sound but the page is not`() throws {
    let error = #expect(throws: PageError.self) {
      try read(#"{"results":[\#(row("a"))],"count":1e400}"#)
    }
    #expect(error?.code == .malformed)
  }

  @Test(arguments: ["1", "1e400", #""\ud800""#])
  func `pages show their outline, also around a record that cannot be read`(value: String) throws {
    let rows = [row("a"), row("b", #","score":\#(value)"#), row("c")]
    let page = Data(#"{"results":[\#(rows.joined(separator: ","))],"count":9}"#.utf8)
    let outline = try PageOutline(page, reader: JSONReader())
    #expect(outline.rowCount == 3)
    #expect(outline.count == 9)
    #expect(
      outline.lastKey?.objectID == (try read(String(decoding: page, as: UTF8.self)).lastObjectID))
    #expect(outline.lastKey?.objectID == "c")
    let empty = try PageOutline(Data(#"{"results":[]}"#.utf8), reader: JSONReader())
    #expect(empty.rowCount == 0 && empty.lastKey == nil)
  }

  @Test func `pages pass through a class's own serializer`() throws {
    struct Upper: RecordSerializer {
      var wireKeys: [String] { ["name"] }
      func decode(_ wire: Fields) throws -> Fields {
        guard case .string(let name)? = wire["name"] else { throw CocoaError(.coderValueNotFound) }
        return name == "stray"
          ? ["other": 1] : name == "number" ? ["title": 1] : ["title": .string(name.uppercased())]
      }
      func encode(_ fields: Fields) throws -> Fields { fields }
    }
    let entity = Entity("Game") { Field("title", .text) }.serialized(by: Upper())
    let page = try read(
      #"{"results":[\#(row("a", #","name":"final""#)),\#(row("b")),\#(row("c", #","name":"stray""#)),\#(row("d", #","name":"number""#))]}"#,
      of: entity)
    #expect(page.records.map(\.values) == [["FINAL"]])
    #expect(page.failures.map(\.objectID) == ["b", "c", "d"])
    #expect(
      page.failures[1].reason == "Its serializer gave the field other, which is not declared.")
  }

  @Test func `one reader reads pages again and again`() throws {
    var reader = PageReader(Sample.game)
    for count in [3, 0, 400] {
      let rows = (0..<count).map { row("r\($0)", #","score":\#($0)"#) }
      let page = try reader.read(Data(#"{"results":[\#(rows.joined(separator: ","))]}"#.utf8))
      #expect(page.records.map { $0.values[1] } == (0..<count).map { .integer(Int64($0)) })
    }
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `pages survive damage anywhere`(seed: UInt64) throws {
    var random = JSONTextGenerator(seed: seed)
    let rows = (0..<5).map { row("r\($0)", #","title":"t\#($0)","extra":{"a":[1,2]}"#) }
    let whole = Data(#"{"results":[\#(rows.joined(separator: ","))],"count":5}"#.utf8)
    var reader = PageReader(Sample.game)
    for _ in 0..<100 {
      do {
        let page = try reader.read(random.damaged(whole))
        #expect(page.records.count + page.failures.count == page.rowCount)
      } catch {}
    }
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `a record that cannot be read keeps its text, letter for letter`(seed: UInt64) throws {
    var random = JSONTextGenerator(seed: seed)
    var spaces = SeededGenerator(seed: seed)
    func space() -> String { ["", "", " ", "\n\t "].randomElement(using: &spaces) ?? "" }
    var reader = PageReader(Sample.game)
    for _ in 0..<20 {
      let odd = ["123456789012345678901234567890", "[ ]", "{ }", "{\"a\" : [ {} ] }"]
      let rows = (0..<Int.random(in: 1...6, using: &spaces)).map { number in
        number % 3 == 2
          ? odd.randomElement(using: &spaces) ?? ""
          : random.document().trimmingCharacters(in: .whitespacesAndNewlines)
      }
      let name = Bool.random(using: &spaces) ? "results" : "r\\u0065sults"
      let list = rows.map { space() + $0 + space() }.joined(separator: ",")
      let other = "\"other\"\(space()):\(space())\(random.document())\(space()),"
      let page =
        "\(space()){\(other)\"\(name)\":\(space())[\(list)]\(space()),\"count\":3 }\(space())"
      let failures = try reader.read(Data(page.utf8)).failures
      #expect(failures.map { String(decoding: $0.json, as: UTF8.self) } == rows)
    }
  }
}
