// Ferry: offline-first sync for Parse Server. MIT licence.

import LoopbackParse
import Testing

/// `POST /batch`.
@Suite(.timeLimit(.minutes(1)))
struct BatchTests {
  private func item(
    _ method: String, _ path: String, _ body: LoopbackValue = [:]
  ) -> LoopbackValue {
    ["method": .string(method), "path": .string(path), "body": body]
  }

  @Test func `answers stand in the order of the requests, each with its own error`() throws {
    var server = TestBackend { $0.allowCustomObjectId = true }
    try server.backend.create("B", ["objectId": "b1", "k": 1])
    let answer = server.send(
      "POST", "/batch",
      [
        "requests": [
          item("POST", "/parse/classes/B", ["k": 2]),
          item("PUT", "/parse/classes/B/b1", ["k": ["__op": "Increment", "amount": 2]]),
          item("DELETE", "/parse/classes/B/zz"), item("POST", "/parse/classes/B", ["k": "x"]),
          item("POST", "/parse/classes/B", ["objectId": "b1"]),
          item("PUT", "/parse/classes/B/b1", ["never": .null]),
          item("GET", "/parse/classes/B", ["where": ["k": 3], "count": 1]),
        ]
      ])
    #expect(answer.status == 200)
    let items = try #require(answer.json?.array)
    #expect(items.count == 7)
    #expect(items[0]["success"]?["objectId"] != nil)
    #expect(items[1]["success"]?["k"] == 3)
    #expect(items[2]["error"]?["code"] == 101)
    #expect(items[3]["error"]?["code"] == 111)
    #expect(items[4]["error"]?["code"] == 137)
    // A failure below Parse has the database's own code, a string.
    #expect(items[5]["error"]?["code"] == "42703")
    #expect(items[6]["success"]?["count"] != nil)
  }

  @Test func `one seed gives one order, another seed another`() {
    func order(_ seed: UInt64) -> [String] {
      var server = TestBackend { configuration in
        configuration.seed = seed
        configuration.allowCustomObjectId = true
      }
      let items = (0..<12).map {
        item(
          "POST", "/parse/classes/B", ["n": ["__op": "Increment", "amount": .number(Double($0))]])
      }
      let answer = server.send("POST", "/batch", ["requests": .array(items)])
      return (answer.json?.array ?? []).compactMap { $0["success"]?["objectId"]?.string }
    }
    #expect(order(1) == order(1))
    #expect(order(1) != order(2))
  }

  @Test(
    arguments: [
      ([:], "requests must be an array"),
      (["requests": [5]], "batch request path must be a string"),
      (
        ["requests": [["method": "POST", "path": "/classes/B"]]],
        "cannot route batch path /classes/B"
      ),
      (
        ["requests": [["method": "POST", "path": "http://h/parse/classes/B"]]],
        "cannot route batch path http://h/parse/classes/B"
      ),
      (
        ["requests": [["method": "POST", "path": "/parse/batch"]]],
        "nested batch requests are not allowed"
      ),
    ] as [(LoopbackValue, String)])
  func `a batch that is none is refused as a whole`(_ body: LoopbackValue, _ text: String) {
    var server = TestBackend()
    let answer = server.send("POST", "/batch", body)
    #expect(answer.json == ["code": 107, "error": .string(text)])
  }

  @Test func `what stands before an item without a route has run`() {
    var server = TestBackend()
    let answer = server.send(
      "POST", "/batch",
      [
        "requests": [
          item("POST", "/parse/classes/B", ["k": 1]), item("PATCH", "/parse/classes/B"),
          item("POST", "/parse/classes/B", ["k": 2]),
        ]
      ])
    #expect(answer.json == ["code": 107, "error": "cannot route PATCH /classes/B"])
    #expect(server.backend.objects(of: "B").compactMap { $0["k"] } == [1])
  }

  @Test func `a transaction is done as a whole or not at all`() throws {
    var server = TestBackend { $0.allowCustomObjectId = true }
    try server.backend.create("B", ["objectId": "b1", "k": 1])
    let before = server.backend.objects(of: "B")
    let failed = server.send(
      "POST", "/batch",
      [
        "transaction": true,
        "requests": [
          item("POST", "/parse/classes/B", ["k": 2]), item("DELETE", "/parse/classes/B/b1"),
          item("POST", "/parse/classes/B", ["k": "x"]),
        ],
      ])
    #expect(failed.status == 500)
    #expect(failed.json == ["code": 1, "message": "Internal server error."])
    #expect(server.backend.objects(of: "B") == before)
    let done = server.send(
      "POST", "/batch",
      ["transaction": true, "requests": [item("POST", "/parse/classes/B", ["k": 2])]])
    #expect(done.status == 200)
    #expect(server.backend.count(of: "B") == 2)
    #expect(server.backend.violations.isEmpty)
  }

  @Test func `a limit binds clients and not the master key`() {
    var server = TestBackend { $0.batchRequestLimit = 2 }
    let body: LoopbackValue = [
      "requests": .array((0..<3).map { _ in item("POST", "/parse/classes/B") })
    ]
    let refused = server.send("POST", "/batch", body)
    #expect(
      refused.json == [
        "code": 107,
        "error": "Batch request contains 3 sub-requests, which exceeds the limit of 2.",
      ])
    #expect(server.send("POST", "/batch", body, server.asMaster).status == 200)
  }

  @Test func `a broken installation fails every batch and no single request`() {
    var server = TestBackend { $0.brokenBatch = true }
    #expect(server.send("POST", "/batch", ["requests": []]).status == 500)
    #expect(server.send("POST", "/classes/B", [:]).status == 201)
  }

  @Test func `what harms a real server is reported`() {
    var server = TestBackend { $0.allowCustomObjectId = true }
    server.send("POST", "/classes/B", ["objectId": "b1"])
    let harmful: [(LoopbackValue, LoopbackViolation.Kind)] = [
      (
        ["transaction": true, "requests": [item("POST", "/parse/nope")]],
        .unroutableInTransaction
      ),
      (
        ["transaction": true, "requests": [item("POST", "/parse/classes/B", ["new": 1])]],
        .newFieldInTransaction
      ),
      (["requests": [item("GET", "/parse/classes/B?limit=1")]], .queryInBatchPath),
      (
        [
          "requests": [
            item("PUT", "/parse/classes/B/b1"), item("DELETE", "/parse/classes/B/b1"),
          ]
        ], .rowTwiceInBatch
      ),
    ]
    for (body, kind) in harmful {
      let known = server.backend.violations.count
      server.send("POST", "/batch", body)
      #expect(server.backend.violations.dropFirst(known).map(\.kind) == [kind])
    }
  }
}
