// Ferry: offline-first sync for Parse Server. MIT licence.

import LoopbackParse
import Testing

/// Loading rows, keeping the whole state, and copies.
@Suite(.timeLimit(.minutes(1)))
struct StateTests {
  @Test func `rows are loaded with the ids and dates they name`() throws {
    var server = TestBackend()
    try server.backend.load([
      "Game": [
        [
          "objectId": "g1", "createdAt": "2020-01-01T00:00:00.000Z",
          "updatedAt": "2021-01-01T00:00:00.000Z", "title": "Final", "league": .pointer("L", "l1"),
        ], ["title": "Semi-final"],
      ]
    ])
    #expect(server.backend.count(of: "Game") == 2)
    let row = server.backend.object("Game", "g1")
    #expect(row?["createdAt"] == "2020-01-01T00:00:00.000Z")
    #expect(row?["updatedAt"] == "2021-01-01T00:00:00.000Z")
    let old: LoopbackValue = ["updatedAt": ["$lt": .date("2022-01-01T00:00:00.000Z")]]
    #expect(server.ids("Game", ["where": old]) == ["g1"])
  }

  @Test func `stamps that SQL wrote are finer than what is shown of them`() throws {
    var server = TestBackend()
    let stamp = "2021-01-01T00:00:00.123250Z"
    try server.backend.load([
      "Game": [["objectId": "g1", "createdAt": .string(stamp), "updatedAt": .string(stamp)]]
    ])
    var kept = TestBackend()
    kept.backend = try LoopbackBackend(
      kept.backend.configuration, restoring: server.backend.snapshot())
    let shown = LoopbackValue.date("2021-01-01T00:00:00.123Z")
    #expect(kept.backend.object("Game", "g1")?["updatedAt"] == "2021-01-01T00:00:00.123Z")
    #expect(kept.ids("Game", ["where": ["updatedAt": shown]]) == [])
    #expect(kept.ids("Game", ["where": ["updatedAt": ["$gt": shown]]]) == ["g1"])
  }

  static let bad: [(LoopbackValue, String)] = [
    (5, "the data must be an object of classes"), (["Game": 5], "Game must be an array of rows"),
    (["Game": [[:], 5]], "Game, row 1: a row must be an object"),
    (
      ["Game": [["updatedAt": "yesterday"]]],
      "Game, row 0: updatedAt must be a date such as 2024-05-01T10:00:00.000Z"
    ),
    (
      ["Game": [["n": 1], ["n": "x"]]],
      "Game, row 1: schema mismatch for Game.n; expected Number but got String"
    ),
  ]

  @Test(arguments: bad)
  func `a row that cannot be loaded is named`(_ data: LoopbackValue, _ message: String) {
    var server = TestBackend()
    #expect {
      try server.backend.load(data)
    } throws: { error in
      (error as? LoopbackError)?.message == message
    }
  }

  @Test func `a restored server is the server that was kept`() throws {
    var server = TestBackend { $0.allowCustomObjectId = true }
    server.send("POST", "/users", ["username": "ann", "password": "p"])
    let login = server.send("POST", "/login", ["username": "ann", "password": "p"])
    let token = try #require(login.json?["sessionToken"]?.string)
    server.send(
      "POST", "/classes/T",
      [
        "objectId": "t", "n": 1, "when": .date("2024-01-01T00:00:00.123Z"),
        "ACL": ["*": ["read": true]],
        "rel": ["__op": "AddRelation", "objects": [.pointer("Z", "z")]],
      ])
    let kept = server.backend.snapshot()
    var copy = TestBackend { $0.allowCustomObjectId = true }
    copy.backend = try LoopbackBackend(
      copy.backend.configuration, restoring: LoopbackValue(json: Array(kept.text.utf8)))
    #expect(copy.backend.snapshot() == kept)
    #expect(copy.backend.object("T", "t") == server.backend.object("T", "t"))
    let headers = copy.with(["X-Parse-Session-Token": token])
    #expect(copy.send("GET", "/users/me", nil, headers).status == 200)
    #expect(copy.send("POST", "/login", ["username": "ann", "password": "p"]).status == 200)
    #expect(copy.ids("T", ["where": ["rel": .pointer("Z", "z")]]) == ["t"])
  }

  @Test func `a copy is a server of its own`() throws {
    var server = TestBackend()
    let id = try server.backend.create("T", ["n": 1])
    let copy = server.backend
    try server.backend.update("T", id, ["n": 2])
    #expect(copy.object("T", id)?["n"] == 1)
    #expect(server.backend.object("T", id)?["n"] == 2)
  }

  @Test func `the same requests to the same seed give the same answers`() {
    func run() -> [LoopbackResponse] {
      var server = TestBackend()
      return (0..<20).map { number in
        server.send("POST", "/classes/T", ["n": .number(Double(number))])
      } + [server.send("GET", "/classes/T")]
    }
    #expect(run() == run())
  }
}
