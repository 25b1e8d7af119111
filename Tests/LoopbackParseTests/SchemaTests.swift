// Ferry: offline-first sync for Parse Server. MIT licence.

import LoopbackParse
import Testing

/// `/schemas`, `/purge` and `/config`.
@Suite(.timeLimit(.minutes(1)))
struct SchemaTests {
  @Test func `a schema declares types, defaults and what is required`() throws {
    var server = TestBackend()
    let master = server.asMaster
    let made = server.send(
      "POST", "/schemas/Game",
      [
        "className": "Game",
        "fields": [
          "title": ["type": "String", "required": true],
          "goals": ["type": "Number", "defaultValue": 7],
          "league": ["type": "Pointer", "targetClass": "League"],
        ],
      ], master)
    #expect(made.json?["fields"]?["league"]?["targetClass"] == "League")
    #expect(server.send("GET", "/schemas/Game", nil, master).json == made.json)
    let missing = server.send("POST", "/classes/Game", ["goals": 1])
    #expect(missing.json == ["code": 142, "error": "title is required"])
    #expect(server.send("POST", "/classes/Game", ["title": "Final"]).json?["goals"] == 7)
    let row = try #require(server.backend.objects(of: "Game").first?["objectId"]?.string)
    #expect(server.send("PUT", "/classes/Game/\(row)", ["title": .null]).json?["code"] == 142)
  }

  @Test(
    arguments: [
      ("POST", "/schemas/Game", [:], 103), ("POST", "/schemas/1a", [:], 103),
      ("POST", "/schemas", [:], 135), ("POST", "/schemas/A", ["className": "B"], 103),
      ("GET", "/schemas/Nope", [:], 103), ("PUT", "/schemas/Nope", [:], 103),
      ("PUT", "/schemas/Game", ["fields": ["n": ["type": "String"]]], 255),
      ("PUT", "/schemas/Game", ["fields": ["zz": ["__op": "Delete"]]], 255),
      ("PUT", "/schemas/Game", ["fields": ["objectId": ["__op": "Delete"]]], 136),
      ("PUT", "/schemas/Game", ["fields": ["x": ["type": "Foo"]]], 111),
      ("PUT", "/schemas/Game", ["fields": ["x": ["type": "Pointer"]]], 135),
      ("PUT", "/schemas/Game", ["fields": ["1x": ["type": "Number"]]], 105),
      ("PUT", "/schemas/Game", ["fields": ["x": [:]]], 107),
      ("PUT", "/schemas/Game", ["indexes": ["i": ["nof": 1]]], 102),
      ("PUT", "/schemas/Game", ["classLevelPermissions": ["foo": [:]]], 107),
      ("DELETE", "/schemas/Game", [:], 255),
    ] as [(String, String, LoopbackValue, Double)])
  func `a schema that cannot be is refused`(
    _ method: String, _ path: String, _ body: LoopbackValue, _ code: Double
  ) throws {
    var server = TestBackend()
    try server.backend.create("Game", ["n": 1])
    let answer = server.send(method, path, body, server.asMaster)
    #expect(answer.status == 400)
    #expect(answer.json?["code"] == .number(code))
  }

  @Test func `a dropped field is gone from schema and rows`() throws {
    var server = TestBackend()
    let id = try server.backend.create("Game", ["n": 1, "m": 2])
    server.send(
      "PUT", "/schemas/Game", ["fields": ["n": ["__op": "Delete"]]], server.asMaster)
    let row = server.send("GET", "/classes/Game/\(id)").json
    #expect(row?.object?.keys.contains("n") == false)
    #expect(row?["m"] == 2)
    #expect(server.send("PUT", "/classes/Game/\(id)", ["n": "text now"]).status == 200)
  }

  @Test func `purge empties a class without a trace`() throws {
    var server = TestBackend()
    try server.backend.create("Game", ["n": 1])
    #expect(server.send("DELETE", "/purge/Game").status == 403)
    #expect(server.send("DELETE", "/purge/Game", nil, server.asMaster).json == [:])
    #expect(server.backend.count(of: "Game") == 0)
    #expect(server.send("GET", "/classes/Game?count=1").json?["count"] == 0)
    #expect(server.send("DELETE", "/schemas/Game", nil, server.asMaster).status == 200)
  }

  @Test func `the config has parts for the master key alone`() {
    var server = TestBackend()
    #expect(server.send("GET", "/config").json == ["params": [:]])
    #expect(server.send("PUT", "/config", ["params": ["a": 1]]).status == 403)
    server.send(
      "PUT", "/config", ["params": ["a": 1, "b": 2], "masterKeyOnly": ["b": true]],
      server.asMaster)
    #expect(
      server.send("GET", "/config").json
        == ["params": ["a": 1], "masterKeyOnly": ["a": false]])
    #expect(
      server.send("GET", "/config", nil, server.asMaster).json?["params"] == ["a": 1, "b": 2])
  }
}
