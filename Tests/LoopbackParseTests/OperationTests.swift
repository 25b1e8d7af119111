// Ferry: offline-first sync for Parse Server. MIT licence.

import LoopbackParse
import Testing

/// The effects of `__op` values, and the answers to updates.
@Suite(.timeLimit(.minutes(1)))
struct OperationTests {
  private func server(_ fields: LoopbackValue) throws -> TestBackend {
    var server = TestBackend { $0.allowCustomObjectId = true }
    var members = try #require(fields.object)
    members["objectId"] = "r"
    #expect(server.send("POST", "/classes/T", .object(members)).status == 201)
    return server
  }

  @Test func `a create flattens operations and echoes them`() {
    var server = TestBackend()
    let answer = server.send(
      "POST", "/classes/T",
      [
        "n": ["__op": "Increment", "amount": 5], "a": ["__op": "Add", "objects": [1, 2]],
        "r": ["__op": "Remove", "objects": [1]], "d": ["__op": "Delete"], "s": "x",
      ])
    #expect(answer.json?["n"] == 5)
    #expect(answer.json?["a"] == [1, 2])
    #expect(answer.json?["r"] == [])
    #expect(answer.json?.object?.keys.sorted() == ["a", "createdAt", "n", "objectId", "r"])
  }

  struct Example: Sendable {
    let operation: LoopbackValue
    let echo: LoopbackValue?
    let stored: LoopbackValue?
  }

  @Test(arguments: [
    Example(operation: ["n": ["__op": "Increment", "amount": 2]], echo: 7, stored: 7),
    Example(operation: ["n": ["__op": "Delete"]], echo: nil, stored: nil),
    Example(operation: ["n": 9], echo: nil, stored: 9),
    Example(operation: ["m": ["__op": "Increment", "amount": 3]], echo: 3, stored: 3),
    Example(
      operation: ["a": ["__op": "AddUnique", "objects": [2, 3]]], echo: [2, 3, 1],
      stored: [2, 3, 1]),
    Example(operation: ["a": ["__op": "Remove", "objects": [2]]], echo: [1], stored: [1]),
    Example(
      operation: ["a": ["__op": "Add", "objects": [3]]], echo: [2, 1, 3], stored: [2, 1, 3]),
  ])
  func `an update applies its operation`(_ example: Example) throws {
    var server = try server(["n": 5, "a": [1, 2]])
    let name = try #require(example.operation.object?.keys.first)
    let answer = server.send("PUT", "/classes/T/r", example.operation)
    #expect(answer.status == 200)
    #expect(answer.json?[name] == example.echo)
    #expect(server.send("GET", "/classes/T/r").json?[name] == example.stored)
  }

  @Test func `dotted keys reach into objects, and the answer holds only what they made`() throws {
    var server = try server(["o": ["k": 1, "l": 2]])
    server.send("PUT", "/classes/T/r", ["o.k": 5])
    let answer = server.send("PUT", "/classes/T/r", ["o.k": ["__op": "Increment", "amount": 2]])
    #expect(answer.json?["o"] == ["k": 7])
    server.send("PUT", "/classes/T/r", ["o.l": ["__op": "Delete"]])
    #expect(server.send("GET", "/classes/T/r").json?["o"] == ["k": 7])
  }

  @Test(
    arguments: [
      (["n": ["__op": "Increment", "amount": "x"]], 500), (["n": ["__op": "Foo"]], 500),
      (["a": ["__op": "Add", "objects": 5]], 500), (["unseen": ["__op": "Delete"]], 500),
      (["s": ["__op": "Increment", "amount": 1]], 400), (["s": ["a.b": 1]], 400),
    ] as [(LoopbackValue, Int)])
  func `an operation that cannot be done changes nothing`(
    _ operation: LoopbackValue, _ status: Int
  ) throws {
    var server = try server(["n": 5, "a": [1], "s": "x"])
    let before = server.backend.object("T", "r")
    #expect(server.send("PUT", "/classes/T/r", operation).status == status)
    #expect(server.backend.object("T", "r") == before)
  }

  @Test func `an empty update moves updatedAt`() throws {
    var server = try server(["n": 5])
    let before = server.backend.object("T", "r")?["updatedAt"]
    let answer = server.send("PUT", "/classes/T/r", [:])
    #expect(answer.json?["updatedAt"] != before)
    #expect(server.backend.object("T", "r")?["updatedAt"] == answer.json?["updatedAt"])
  }

  @Test func `an objectId in an update renames the row and is reported`() throws {
    var server = try server(["n": 5])
    #expect(server.send("PUT", "/classes/T/r", ["objectId": "r2", "n": 6]).status == 200)
    #expect(server.backend.object("T", "r") == nil)
    #expect(server.backend.object("T", "r2")?["n"] == 6)
    #expect(server.ids("T", ["order": "updatedAt"]) == ["r2"])
    #expect(server.backend.violations.map(\.kind) == [.objectIdInUpdate])
  }

  @Test func `timestamps in an update are ignored and reported`() throws {
    var server = try server(["n": 5])
    let old: LoopbackValue = .date("2001-01-01T00:00:00.000Z")
    #expect(server.send("PUT", "/classes/T/r", ["createdAt": old, "updatedAt": old]).status == 200)
    #expect(server.backend.object("T", "r")?["createdAt"] != "2001-01-01T00:00:00.000Z")
    #expect(
      server.backend.violations.map(\.kind) == [.timestampInUpdate, .timestampInUpdate])
  }

  @Test func `relations live beside the rows`() throws {
    var server = try server(["n": 1])
    func relate(_ operation: LoopbackValue, _ ids: [String]) -> LoopbackValue {
      let objects = ids.map { LoopbackValue.pointer("Z", $0) }
      return ["rel": ["__op": operation, "objects": .array(objects)]]
    }
    server.send("PUT", "/classes/T/r", relate("AddRelation", ["z1", "z2", "z3"]))
    server.send("PUT", "/classes/T/r", relate("RemoveRelation", ["z3"]))
    for id in ["z1", "z2", "z3"] { server.send("POST", "/classes/Z", ["objectId": .string(id)]) }
    let stub: LoopbackValue = ["__type": "Relation", "className": "Z"]
    #expect(server.send("GET", "/classes/T/r?keys=n").json?["rel"] == stub)
    let related: LoopbackValue = ["$relatedTo": ["object": .pointer("T", "r"), "key": "rel"]]
    #expect(server.ids("Z", ["where": related, "order": "objectId"]) == ["z1", "z2"])
    #expect(server.ids("T", ["where": ["rel": .pointer("Z", "z2")]]) == ["r"])
    #expect(server.ids("T", ["where": ["rel": .pointer("Z", "z3")]]) == [])
    let wrong = server.send(
      "PUT", "/classes/T/r",
      ["rel": ["__op": "AddRelation", "objects": [.pointer("Y", "y")]]])
    #expect(wrong.json?["code"] == 111)
  }
}
