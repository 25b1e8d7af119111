// Ferry: offline-first sync for Parse Server. MIT licence.

import LoopbackParse
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ObjectTests {
  @Test func `a row can be created, read, changed and deleted`() throws {
    var server = TestBackend()
    let created = server.send("POST", "/classes/Game", ["title": "Final", "goals": 2])
    #expect(created.status == 201)
    let id = try #require(created.json?["objectId"]?.string)
    #expect(created.json?.object?.keys.sorted() == ["createdAt", "objectId"])
    #expect(created.headers["Location"]?.hasSuffix("/parse/classes/Game/\(id)") == true)

    let changed = server.send(
      "PUT", "/classes/Game/\(id)", ["goals": ["__op": "Increment", "amount": 3]])
    #expect(changed.status == 200)
    #expect(changed.json?["goals"] == 5)

    let read = server.send("GET", "/classes/Game/\(id)")
    #expect(read.json?["title"] == "Final")
    #expect(read.json?["updatedAt"] == changed.json?["updatedAt"])
    #expect(read.json?["createdAt"] == created.json?["createdAt"])

    #expect(server.send("DELETE", "/classes/Game/\(id)").text == "{}")
    let again = server.send("DELETE", "/classes/Game/\(id)")
    #expect(again.status == 404)
    #expect(again.json?["code"] == 101)
    #expect(server.backend.violations.isEmpty)
  }
}
