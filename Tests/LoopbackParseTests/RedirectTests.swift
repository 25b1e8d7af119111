// Ferry: offline-first sync for Parse Server. MIT licence.

import LoopbackParse
import Testing

/// `redirectClassNameForKey`, with which an SDK reads a relation whose class it does not know.
@Suite(.timeLimit(.minutes(1)))
struct RedirectTests {
  private static func backend() -> TestBackend {
    var server = TestBackend { $0.allowCustomObjectId = true }
    server.send("POST", "/classes/Player", ["objectId": "p", "name": "x"])
    server.send("POST", "/classes/Player", ["objectId": "q", "name": "y"])
    server.send(
      "POST", "/classes/Game",
      [
        "objectId": "g", "title": "t",
        "squad": ["__op": "AddRelation", "objects": [.pointer("Player", "p")]],
      ])
    return server
  }

  @Test func `a relation leads to its class, which each row then names`() {
    var server = Self.backend()
    let answer = server.send(
      "POST", "/classes/Game",
      [
        "_method": "GET", "redirectClassNameForKey": "squad",
        "where": ["$relatedTo": ["object": .pointer("Game", "g"), "key": "squad"]],
      ])
    let rows = answer.json?["results"]?.array ?? []
    #expect(rows.map { $0["objectId"] } == ["p"])
    #expect(rows.first?["className"] == "Player")
    #expect(rows.first?["name"] == "x")
  }

  @Test(arguments: ["title", "nope"]) func `another field leads nowhere`(key: String) {
    var server = Self.backend()
    let query: LoopbackValue = ["_method": "GET", "redirectClassNameForKey": .string(key)]
    let rows = server.send("POST", "/classes/Game", query).json?["results"]?.array ?? []
    #expect(rows.map { $0["objectId"] } == ["g"])
    #expect(rows.first?["className"] == "Game")
  }

  @Test func `with a limit of 0 no database is asked, unless for a count`() {
    var server = Self.backend()
    var query: [String: LoopbackValue] = [
      "_method": "GET", "limit": 0, "where": ["title": ["$stranger": 1]],
    ]
    #expect(server.send("POST", "/classes/Game", .object(query)).json == ["results": []])
    query["count"] = 1
    #expect(server.send("POST", "/classes/Game", .object(query)).json?["code"] == 119)
  }
}
