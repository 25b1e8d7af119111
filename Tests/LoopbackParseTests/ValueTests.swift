// Ferry: offline-first sync for Parse Server. MIT licence.

import LoopbackParse
import Testing

/// Types of fields: how they are inferred, kept and refused.
@Suite(.timeLimit(.minutes(1)))
struct ValueTests {
  static let values: [String: LoopbackValue] = [
    "number": 1.5, "large": 123_456_789_012_345_680, "string": "é \"quoted\" \n \u{1F600}",
    "flag": true, "object": ["a": ["b": .null], "list": [1, "x"]],
    "array": [1, "a", .null, ["x": .date("2024-01-01T00:00:00.000Z")]],
    "date": .date("2024-01-01T00:00:00.123Z"), "pointer": .pointer("Z", "z1"),
    "bytes": ["__type": "Bytes", "base64": "aGVsbG8="],
    "place": ["__type": "GeoPoint", "latitude": 10.5, "longitude": -20.25],
  ]

  @Test func `values come back as they were sent`() throws {
    var server = TestBackend()
    let created = server.send("POST", "/classes/T", .object(Self.values))
    let id = try #require(created.json?["objectId"]?.string)
    let read = try #require(server.send("GET", "/classes/T/\(id)").json)
    for (name, value) in Self.values { #expect(read[name] == value, "\(name)") }
  }

  @Test(arguments: [
    ("2024-01-01T00:00:00Z", "2024-01-01T00:00:00.000Z"),
    ("2024-01-01T00:00:00+02:00", "2023-12-31T22:00:00.000Z"),
    ("2024-02-29", "2024-02-29T00:00:00.000Z"),
    ("2024-01-01T00:00:00.123456Z", "2024-01-01T00:00:00.123Z"),
    ("1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"),
  ])
  func `dates are kept in milliseconds and UTC`(_ sent: String, _ kept: String) {
    var server = TestBackend { $0.allowCustomObjectId = true }
    server.send("POST", "/classes/T", ["objectId": "t", "when": .date(sent)])
    #expect(server.send("GET", "/classes/T/t").json?["when"] == .date(kept))
  }

  @Test(arguments: ["garbage", "2024", "2023-02-29", "2024-13-01", "2024-01-01T00:00:00.Z"])
  func `a date the database cannot read is an exception`(_ text: String) {
    var server = TestBackend()
    let answer = server.send("POST", "/classes/T", ["when": .date(text)])
    #expect(answer.status == 500)
    #expect(answer.json == ["code": 1, "message": "Internal server error."])
  }

  /// PostgreSQL's adapter cannot overwrite bytes, and does not look for a row first.
  @Test func `bytes come with a new row only`() throws {
    var server = TestBackend { $0.allowCustomObjectId = true }
    let bytes: LoopbackValue = ["__type": "Bytes", "base64": "AP8="]
    server.send("POST", "/classes/T", ["objectId": "t", "data": bytes, "a": 1])
    for id in ["t", "none"] {
      let answer = server.send("PUT", "/classes/T/\(id)", ["data": bytes, "a": 2])
      #expect(answer.status == 400)
      #expect(answer.json?["code"] == 119)
    }
    #expect(server.send("GET", "/classes/T/t").json?["a"] == 1)
    #expect(server.send("PUT", "/classes/T/t", ["a": bytes]).json?["code"] == 111)
    #expect(server.send("PUT", "/classes/T/t", ["data": ["__op": "Delete"]]).status == 200)
  }

  @Test func `null and missing are one`() throws {
    var server = TestBackend()
    let created = server.send("POST", "/classes/T", ["a": .null, "b": 1])
    let id = try #require(created.json?["objectId"]?.string)
    #expect(server.send("GET", "/classes/T/\(id)").json?.object?.keys.contains("a") == false)
    server.send("PUT", "/classes/T/\(id)", ["b": .null])
    #expect(server.send("GET", "/classes/T/\(id)").json?.object?.keys.contains("b") == false)
    // Clearing a column that never existed is an exception of the database.
    #expect(server.send("PUT", "/classes/T/\(id)", ["never": .null]).status == 500)
  }

  static let mismatches: [(String, LoopbackValue, String)] = [
    ("number", "x", "Number but got String"), ("string", 1, "String but got Number"),
    ("flag", 1, "Boolean but got Number"), ("object", [1], "Object but got Array"),
    ("array", ["a": 1], "Array but got Object"),
    ("date", "2024-01-01T00:00:00.000Z", "Date but got String"),
    ("pointer", .pointer("Y", "y1"), "Pointer<Z> but got Pointer<Y>"),
    ("createdAt", "2024-01-01T00:00:00.000Z", "Date but got String"),
  ]

  @Test(arguments: mismatches)
  func `a value of another type is refused`(
    _ name: String, _ value: LoopbackValue, _ text: String
  ) {
    var server = TestBackend()
    server.send("POST", "/classes/T", .object(Self.values))
    let answer = server.send("POST", "/classes/T", .object([name: value]))
    #expect(answer.status == 400)
    #expect(
      answer.json == [
        "code": 111, "error": .string("schema mismatch for T.\(name); expected \(text)"),
      ])
    #expect(server.backend.count(of: "T") == 1)
  }

  @Test(arguments: ["1a", "a b", "_x", "a$", "className", "length", ""])
  func `a name that is none is refused`(_ name: String) {
    var server = TestBackend()
    let answer = server.send("POST", "/classes/T", .object([name: 1]))
    #expect(answer.json == ["code": 105, "error": .string("Invalid field name: \(name).")])
  }

  @Test(arguments: ["1a", "_x", "_Foo", "a%20b"])
  func `a class name that is none is refused on writing and empty on reading`(_ name: String) {
    var server = TestBackend()
    #expect(server.send("POST", "/classes/\(name)", ["a": 1]).json?["code"] == 107)
    #expect(server.send("GET", "/classes/\(name)").json == ["results": []])
  }

  static let malformed: [(LoopbackValue, Double)] = [
    (["__type": "Foo"], 111), (["__type": "Bytes", "base64": ""], 111),
    (["__type": "Date"], 111), (["__type": "File"], 111),
    (["__type": "Object", "className": "Z", "objectId": "z"], 111), (["a.b": 1], 121),
    ([["x": ["a$": 1]]], 121), (["__type": "Polygon", "coordinates": [[0, 0]]], 107),
    (["__op": "Foo"], 1),
  ]

  @Test(arguments: malformed)
  func `a malformed value is refused`(_ value: LoopbackValue, _ code: Double) {
    var server = TestBackend()
    #expect(server.send("POST", "/classes/T", ["f": value]).json?["code"] == .number(code))
    #expect(server.backend.count(of: "T") == 0)
  }

  @Test func `a file keeps its name and is told its address`() throws {
    var server = TestBackend()
    server.backend.publicURL = "http://127.0.0.1:1/parse"
    let file: LoopbackValue = ["__type": "File", "name": "a.txt", "url": "http://x/a.txt"]
    let id = try server.backend.create("T", ["file": file])
    #expect(
      server.send("GET", "/classes/T/\(id)").json?["file"]?["url"]
        == "http://127.0.0.1:1/parse/files/app1/a.txt")
    server.backend.publicURL = "http://127.0.0.1:2/parse"
    #expect(
      server.send("GET", "/classes/T").json?["results"]?.array?.first?["file"]?["url"]
        == "http://127.0.0.1:2/parse/files/app1/a.txt")
    #expect(server.backend.violations.isEmpty)
    server.send("POST", "/classes/T", ["file": ["__type": "File", "name": "b.txt"]])
    #expect(server.backend.violations.map(\.kind) == [.fileWithoutURL])
  }

  @Test func `custom ids are refused unless they are allowed`() {
    var strict = TestBackend()
    let refused = strict.send("POST", "/classes/T", ["objectId": "mine"])
    #expect(refused.json == ["code": 105, "error": "objectId is an invalid field name."])
    #expect(strict.send("POST", "/classes/T", ["id": "x"]).json?["code"] == 105)

    var open = TestBackend { $0.allowCustomObjectId = true }
    #expect(open.send("POST", "/classes/T", ["objectId": "a/b c"]).status == 201)
    #expect(open.send("GET", "/classes/T/a%2Fb%20c").json?["objectId"] == "a/b c")
    #expect(open.send("POST", "/classes/T", ["objectId": "a/b c"]).json?["code"] == 137)
    #expect(open.send("POST", "/classes/T", ["objectId": ""]).json?["code"] == 104)
    #expect(open.send("POST", "/classes/T", ["objectId": .null]).json?["code"] == 104)
    #expect(open.send("POST", "/classes/T", ["objectId": 5]).json?["code"] == 111)
  }
}
