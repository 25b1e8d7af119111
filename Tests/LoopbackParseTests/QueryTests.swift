// Ferry: offline-first sync for Parse Server. MIT licence.

import LoopbackParse
import Testing

/// Conditions, orders and pages, on a handful of rows.
@Suite(.timeLimit(.minutes(1)))
struct QueryTests {
  /// Rows q0 … q4 with a field of each type, and q9 with none.
  private static func server() throws -> TestBackend {
    var server = TestBackend { $0.allowCustomObjectId = true }
    for number in 0..<5 {
      let count = Double(number)
      try server.backend.create(
        "Q",
        [
          "objectId": .string("q\(number)"), "n": .number(count), "s": .string("s\(number)"),
          "b": .bool(number % 2 == 0), "d": .date("2024-01-0\(number + 1)T00:00:00.000Z"),
          "a": [.number(count), .number(count + 1)], "o": ["x": ["y": .number(count)]],
          "p": .pointer("K", "k\(number)"),
        ])
    }
    try server.backend.create("Q", ["objectId": "q9"])
    return server
  }

  private static let day: LoopbackValue = .date("2024-01-02T00:00:00.000Z")

  static let found: [(LoopbackValue, String)] = [
    ([:], "012349"), (["n": 1], "1"), (["n": ["$ne": 1]], "02349"), (["n": ["$gt": 1]], "234"),
    (["n": ["$gte": 1, "$lt": 3]], "12"), (["n": ["$in": [1, 3]]], "13"),
    (["n": ["$nin": [1, 3]]], "024"), (["n": ["$in": []]], "9"), (["n": ["$nin": []]], "012349"),
    (["n": ["$exists": false]], "9"), (["n": ["$exists": true]], "01234"), (["n": .null], "9"),
    (["n": ["$ne": .null]], "01234"), (["n": true], ""), (["s": ["$gt": "s2"]], "34"),
    (["s": ["$regex": "^s[12]"]], "12"), (["s": ["$regex": "S1", "$options": "i"]], "1"),
    (["b": true], "024"), (["b": ["$ne": true]], "139"), (["d": day], "1"),
    (["d": "2024-01-02T00:00:00.000Z"], "1"), (["d": ["$gt": day]], "234"),
    (["d": ["$lte": "2024-01-02T00:00:00.000Z"]], "01"), (["a": ["$in": [1]]], "01"),
    (["a": ["$nin": [1]]], "234"), (["a": ["$ne": 1]], "234"), (["a": ["$all": [1, 2]]], "1"),
    (["a": ["$containedBy": [1, 2, 3]]], "12"), (["o.x.y": 1], "1"),
    (["o.x.y": ["$gt": 1]], "234"), (["o.x": ["y": 1]], "1"), (["o.x.y": ["$ne": 1]], "02349"),
    (["p": .pointer("K", "k1")], "1"), (["p": ["$in": [.pointer("K", "k1"), "k2"]]], "12"),
    (["p": ["$ne": .pointer("K", "k1")]], "02349"), (["objectId": "q1"], "1"),
    (["objectId": ["$in": ["q1", "q2", "zz"]]], "12"), (["objectId": ["$gt": "q2"]], "349"),
    (["objectId": ["$nin": ["q1"]]], "02349"), (["objectId": ["$regex": "^q[12]"]], "12"),
    (["$or": [["n": 1], ["n": 2]]], "12"), (["$and": [["n": 1], ["s": "s1"]]], "1"),
    // For a missing field, neither a comparison nor its negation holds.
    (["$nor": [["n": 1], ["n": 2]]], "034"), (["zz": ["$exists": false]], "012349"),
    (["zz": 1], ""), (["zz": ["$ne": 1]], ""), (["$or": [["n": 1], ["zz": 1]]], ""),
    (["updatedAt": ["$gt": .date("2020-01-01T00:00:00.000Z")]], "012349"),
    (["createdAt": ["$lt": .date("2020-01-01T00:00:00.000Z")]], ""),
  ]

  @Test(arguments: found)
  func `finds the rows that match`(_ condition: LoopbackValue, _ expected: String) throws {
    var server = try Self.server()
    let ids = server.ids("Q", ["where": condition, "order": "objectId"])
    #expect(ids.map { String($0.dropFirst()) }.joined() == expected)
    let counted = server.send(
      "POST", "/classes/Q", ["_method": "GET", "where": condition, "count": 1, "limit": 0])
    #expect(counted.json == ["results": [], "count": .number(Double(expected.count))])
  }

  static let refused: [(LoopbackValue, Int, Double)] = [
    (["n": "x"], 500, 1), (["n": ["$gt": "x"]], 500, 1), (["s": 1], 500, 1),
    (["d": ["$eq": day]], 500, 1), (["d": ["$ne": day]], 500, 1), (["d": ["$in": [day]]], 500, 1),
    (["d": ["$gt": "garbage"]], 500, 1), (["a": 1], 500, 1), (["a": ["$gt": 1]], 500, 1),
    (["s": ["$regex": "["]], 500, 1), (["objectId": 5], 500, 1), (["$or": []], 500, 1),
    (["n": ["$in": 3]], 400, 107), (["s": ["$in": [1]]], 400, 102),
    (["s": ["$regex": 5]], 400, 102), (["n": ["$foo": 1]], 400, 119), (["n": ["x": 1]], 400, 119),
    (["a": [1, 2]], 400, 119), (["$or": 5], 400, 102), (["$nor": []], 400, 102),
    (["$foo": 1], 400, 105), (["_x": 1], 400, 105), (["ACL": ["a": 1]], 400, 102),
    ("x", 400, 107), (5, 500, 1), (.null, 500, 1),
  ]

  @Test(arguments: refused)
  func `refuses what PostgreSQL refuses`(
    _ condition: LoopbackValue, _ status: Int, _ code: Double
  ) throws {
    var server = try Self.server()
    let answer = server.send("POST", "/classes/Q", ["_method": "GET", "where": condition])
    #expect(answer.status == status)
    #expect(answer.json?["code"] == .number(code))
  }

  static let pages: [(LoopbackValue, String)] = [
    (["order": "-n"], "943210"), (["order": "n"], "012349"), (["order": "b,-n"], "314209"),
    (["order": "-objectId", "limit": 2], "94"), (["order": "objectId", "skip": 4], "49"),
    (["order": "objectId", "limit": 0], ""), (["order": "objectId", "limit": "2"], "01"),
    (["order": "objectId", "limit": 2, "skip": 1], "12"), (["order": "zz,-n"], "943210"),
    (["order": "-createdAt"], "943210"), (["order": "-updatedAt,-objectId"], "943210"),
    (["order": "o.x.y"], "012349"),
  ]

  @Test(arguments: pages)
  func `orders and cuts pages`(_ query: LoopbackValue, _ expected: String) throws {
    var server = try Self.server()
    let ids = server.ids("Q", query)
    #expect(ids.map { String($0.dropFirst()) }.joined() == expected)
  }

  @Test(arguments: [("limit", -1), ("limit", "x"), ("skip", -1)] as [(String, LoopbackValue)])
  func `a page PostgreSQL cannot cut is an error of the query`(
    _ name: String, _ value: LoopbackValue
  ) throws {
    var server = try Self.server()
    let answer = server.send("POST", "/classes/Q", .object(["_method": "GET", name: value]))
    #expect(answer.status == 500)
    #expect(answer.json == ["code": 1, "error": "An internal server error occurred"])
  }

  @Test func `keys leave the four columns every row has`() throws {
    var server = try Self.server()
    let answer = server.send("GET", "/classes/Q?keys=s,zz&order=objectId&limit=1")
    let row = try #require(answer.json?["results"]?.array?.first?.object)
    #expect(row.keys.sorted() == ["createdAt", "objectId", "s", "updatedAt"])
    let rest = server.send("GET", "/classes/Q/q0?excludeKeys=s,o,objectId")
    #expect(rest.json?.object?.keys.contains("s") == false)
    #expect(rest.json?["objectId"] == "q0")
  }

  @Test func `limits have a default and a cap`() throws {
    var server = TestBackend { $0.maxLimit = 120 }
    for _ in 0..<130 { try server.backend.create("Q", [:]) }
    #expect(server.ids("Q", [:]).count == 100)
    #expect(server.ids("Q", ["limit": 1000]).count == 120)
  }

  @Test func `include puts rows in the place of pointers, or takes the field away`() throws {
    var server = TestBackend { $0.allowCustomObjectId = true }
    try server.backend.create("K", ["objectId": "k", "name": "there"])
    try server.backend.create(
      "Q", ["objectId": "q", "a": .pointer("K", "k"), "b": .pointer("K", "gone")])
    let row = server.send("GET", "/classes/Q/q?include=a,b").json
    #expect(row?["a"]?["name"] == "there")
    #expect(row?["a"]?["__type"] == "Object")
    #expect(row?.object?.keys.contains("b") == false)
  }

  @Test func `strings are ordered as the database's locale does`() throws {
    let ids = ["C2", "_x", "a1", "B1", "0q", "b2", "A2", "c1", "Z9"]
    var english = TestBackend { $0.collation = .english }
    var plain = TestBackend()
    for id in ids {
      try english.backend.create("Q", ["objectId": .string(id)])
      try plain.backend.create("Q", ["objectId": .string(id)])
    }
    #expect(
      english.ids("Q", ["order": "objectId"]).joined(separator: " ")
        == "_x 0q a1 A2 B1 b2 c1 C2 Z9")
    #expect(
      english.ids("Q", ["where": ["objectId": ["$gt": "B1"]], "order": "objectId"])
        == ["b2", "c1", "C2", "Z9"])
    #expect(plain.ids("Q", ["order": "objectId"]) == ids.sorted())
  }
}
