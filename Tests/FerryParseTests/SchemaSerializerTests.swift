// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Foundation
import Testing

@testable import FerryParse

@Suite(.timeLimit(.minutes(1)))
struct SchemaSerializerTests {
  private let serializer = SchemaSerializer(Sample.game, clientKeyField: "ferryKey")

  @Test func `request bodies of creates hold what has a value, the id or key, and the access list`()
    throws
  {
    let body = try serializer.createBody(
      ["title": "Final", "score": nil, "players": .relation(className: "Player")],
      acl: ["*": ["read": true]], objectID: "abc", clientKey: "k")
    #expect(
      WireJSON.text(.object(body))
        == #"{"ACL":{"*":{"read":true}},"ferryKey":"k","objectId":"abc","title":"Final"}"#)
    #expect(try serializer.createBody([:]).isEmpty)
  }

  @Test func `request bodies of updates hold the given fields only, and clear by an operation`()
    throws
  {
    let body = try serializer.updateBody(
      ["title": nil, "playedAt": .date(Timestamp(milliseconds: 250)), "score": 3])
    #expect(
      WireJSON.text(.object(body))
        == #"{"playedAt":{"__type":"Date","iso":"1970-01-01T00:00:00.250Z"},"#
        + #""score":3,"title":{"__op":"Delete"}}"#)
    #expect(try serializer.updateBody(["players": .relation(className: "Player")]).isEmpty)
  }

  @Test func `request bodies write every type in the wire's form`() throws {
    let body = try serializer.createBody([
      "league": .pointer(Pointer(className: "League", objectID: "l1")), "token": .bytes([1, 2]),
      "place": .geoPoint(GeoPoint(latitude: 1.5, longitude: -2)),
      "area": .polygon([GeoPoint(latitude: 0, longitude: 1)]),
      "badge": .file(File(name: "b.png", url: "http://x/b.png")), "isFinal": false, "rating": 1.25,
    ])
    #expect(
      WireJSON.text(.object(body))
        == #"{"area":{"__type":"Polygon","coordinates":[[0,1]]},"#
        + #""badge":{"__type":"File","name":"b.png","url":"http://x/b.png"},"isFinal":false,"#
        + #""league":{"__type":"Pointer","className":"League","objectId":"l1"},"#
        + #""place":{"__type":"GeoPoint","latitude":1.5,"longitude":-2},"rating":1.25,"#
        + #""token":{"__type":"Bytes","base64":"AQI="}}"#)
  }

  private static let exact: Int64 = 1 << 53

  /// Lists in lists, with that number of levels.
  private static func nested(_ levels: Int) -> Value {
    (1..<levels).reduce(.array([])) { inner, _ in .array([inner]) }
  }

  @Test func `what may be sent can be read from a page and from a batch`() throws {
    let tags = Self.nested(120)
    let body = try SchemaSerializer(Sample.game).createBody(["tags": tags])
    #expect(body["tags"] == tags)
    let text = String(repeating: "[", count: 120) + String(repeating: "]", count: 120)
    let record = """
      {"objectId":"a","createdAt":"2026-01-01T00:00:00.000Z",\
      "updatedAt":"2026-01-01T00:00:00.000Z","tags":\(text)}
      """
    var reader = PageReader(Sample.game)
    let page = try reader.read(Data("{\"results\":[\(record)]}".utf8))
    #expect(page.records.first?.fields(of: Sample.game)["tags"] == tags)
    let batch = #"{"requests":[{"method":"POST","path":"/x","body":{"tags":\#(text)}}]}"#
    #expect(AskedBody(Data(batch.utf8)).requests?.first?.body["tags"] == tags)
  }

  @Test(
    arguments: [
      ("score", .integer(exact + 1), SerializationError.Code.numberTooLarge),
      ("score", .integer(-exact - 1), .numberTooLarge), ("score", .integer(.min), .numberTooLarge),
      ("extra", ["a": [.integer(.max)]], .numberTooLarge), ("tags", nested(121), .tooDeep),
      ("rating", .number(.infinity), .notANumber), ("rating", .number(.nan), .notANumber),
      ("place", .geoPoint(GeoPoint(latitude: .nan, longitude: 0)), .notANumber),
      ("title", "a\u{0}", .nullCharacter), ("tags", [["k\u{0}": 1]], .nullCharacter),
      ("title", 1, .wrongType), ("score", 1.5, .wrongType), ("score", "1", .wrongType),
      ("league", .pointer(Pointer(className: "Team", objectID: "x")), .wrongType),
      ("playedAt", .date(Timestamp(milliseconds: .max)), .dateOutOfRange),
      ("playedAt", .date(.earliest), .dateOutOfRange),
      ("token", .bytes([]), .emptyBytes),
      ("league", .pointer(Pointer(className: "League", objectID: "")), .emptyPointer),
      ("badge", .file(File(name: "b")), .fileWithoutURL),
      ("badge", .file(File(name: "b", url: "")), .fileWithoutURL),
      ("tags", [["x": .file(File(name: "b"))]], .fileWithoutURL),
      ("extra", ["f": ["__type": "File", "name": "b"]], .fileWithoutURL),
      ("extra", ["__op": "Delete"], .operationAsValue),
      ("stranger", 1, .unknownField), ("objectId", "x", .unknownField),
      ("updatedAt", "x", .unknownField), ("className", "x", .unknownField),
    ] as [(String, Value, SerializationError.Code)])
  func `request bodies refuse what the server would change, misread or fall over`(
    field: String, value: Value, code: SerializationError.Code
  ) throws {
    for refuse in [{ try serializer.createBody($0) }, { try serializer.updateBody($0) }]
      as [(Fields) throws -> [String: Value]]
    {
      let error = #expect(throws: SerializationError.self) { try refuse(Fields([field: value])) }
      #expect(error?.code == code)
      #expect(error?.field == field)
      #expect(error?.message.contains("was not sent and is kept") == true)
    }
  }

  @Test func `a value of another type is told by its beginning, with a form that works`() {
    let long = Value.string("the day before yesterday, in the garden of my aunt")
    let message = { (field: String, value: Value) in
      #expect(throws: SerializationError.self) {
        try serializer.updateBody(Fields([field: value]))
      }?
      .message ?? ""
    }
    #expect(
      message("playedAt", long)
        == "The field playedAt is of the type Date and holds the text “the day before yesterday…”. "
        + "The change was not sent and is kept. Write a date of UTC, such as "
        + "2026-03-01T18:30:00.250Z or 2026-03-01.")
    #expect(message("score", 1.5).contains("holds the number 1.5. "))
    #expect(message("league", "x").contains("Write a pointer to League, in SQL the objectId"))
  }

  @Test func `all values that cannot be sent are told, in the order of their fields`() {
    let fields: Fields = [
      "title": 1, "score": "x", "rating": .number(.nan), "isFinal": true, "token": .bytes([]),
    ]
    let error = #expect(throws: SerializationError.self) { try serializer.updateBody(fields) }
    #expect(error?.field == "rating, score, title, token")
    #expect(
      error?.message
        == "The field rating holds infinity or not a number, which JSON cannot say. "
        + "Write a finite number, or clear the field. "
        + "The field score is of the type Number and holds the text “x”. "
        + "Write a whole number, such as 12. "
        + "The field title is of the type String and holds the number 1. "
        + "Write a text, such as 'Final'. "
        + "The field token holds bytes of length zero, which the server refuses. "
        + "Clear the field instead. The change was not sent and is kept.")
  }

  @Test func `request bodies let pass what is just within bounds`() throws {
    for value: Value in [.integer(Self.exact), .integer(-Self.exact)] {
      #expect(try serializer.createBody(["score": value]) == ["score": value])
    }
  }

  @Test(
    arguments: [
      "bad", ["*": true], ["*": ["read": 1]], ["*": ["write": true, "x": true]], [1],
    ] as [Value])
  func `request bodies refuse access lists that would shut everybody out`(acl: Value) throws {
    let error = #expect(throws: SerializationError.self) {
      try serializer.createBody([:], acl: acl)
    }
    #expect(
      error?.message.hasPrefix("The field acl cannot be sent. The change was not sent") == true)
    #expect(error?.message.contains("..") == false)
  }

  @Test func `request bodies pass through a class's own serializer`() throws {
    struct ObjectIDReplacement: RecordSerializer {
      var wireKeys: [String] { ["name"] }
      func decode(_ wire: Fields) throws -> Fields { wire }
      func encode(_ fields: Fields) throws -> Fields {
        guard let title = fields["title"] else { throw CocoaError(.coderInvalidValue) }
        return title == "bad" ? ["objectId": "x"] : ["name": title]
      }
    }
    let entity = Entity("Game") {
      Field("title", .text)
      Field("score", .integer)
    }
    let own = SchemaSerializer(entity.serialized(by: ObjectIDReplacement()))
    #expect(try own.createBody(["title": "a"]) == ["name": "a"])
    #expect(try own.updateBody(["title": nil]) == ["name": ["__op": "Delete"]])
    #expect(throws: SerializationError.self) { try own.createBody(["title": "bad"]) }
    let error = #expect(throws: SerializationError.self) { try own.createBody(["score": 1]) }
    #expect(error?.code == .serializerRefused)
  }
}
