// Ferry: offline-first sync for Parse Server. MIT licence.

import LoopbackParse
import Testing

/// Permissions: access lists of rows, permissions of classes, triggers.
@Suite(.timeLimit(.minutes(1)))
struct PermissionTests {
  private func signUp(_ name: String, _ server: inout TestBackend) throws -> (
    id: String, headers: LoopbackHeaders
  ) {
    let answer = server.send("POST", "/users", ["username": .string(name), "password": "p"])
    let token = try #require(answer.json?["sessionToken"]?.string)
    let id = try #require(answer.json?["objectId"]?.string)
    return (id, server.with(["X-Parse-Session-Token": token]))
  }

  @Test func `a row that one may not read is as if it were not there`() throws {
    var server = TestBackend { $0.allowCustomObjectId = true }
    let (id, owner) = try signUp("ann", &server)
    let list = LoopbackValue.object([id: ["read": true, "write": true]])
    server.send("POST", "/classes/T", ["objectId": "t", "ACL": list], owner)
    #expect(server.send("GET", "/classes/T/t").json?["code"] == 101)
    #expect(server.send("GET", "/classes/T?count=1").json == ["results": [], "count": 0])
    #expect(server.send("PUT", "/classes/T/t", ["n": 1]).json?["code"] == 101)
    #expect(server.send("DELETE", "/classes/T/t").json?["code"] == 101)
    #expect(server.send("POST", "/classes/T", ["objectId": "t"]).json?["code"] == 137)
    #expect(server.send("GET", "/classes/T/t", nil, owner).json?["ACL"] == list)
    #expect(server.send("GET", "/classes/T?count=1", nil, owner).json?["count"] == 1)
    #expect(server.send("GET", "/classes/T/t", nil, server.asMaster).status == 200)
    server.send("PUT", "/classes/T/t", ["ACL": ["*": ["read": true]]], owner)
    #expect(server.send("GET", "/classes/T/t").status == 200)
    #expect(server.send("PUT", "/classes/T/t", ["n": 1], owner).json?["code"] == 101)
  }

  @Test func `roles open rows, inherited ones too, and the rows do not change by it`() throws {
    var server = TestBackend { $0.allowCustomObjectId = true }
    let (id, user) = try signUp("ann", &server)
    server.send(
      "POST", "/roles",
      ["objectId": "r1", "name": "Players", "ACL": ["*": ["read": true]]], server.asMaster)
    server.send(
      "POST", "/roles",
      [
        "objectId": "r2", "name": "Members", "ACL": ["*": ["read": true]],
        "roles": ["__op": "AddRelation", "objects": [.pointer("_Role", "r1")]],
      ], server.asMaster)
    try server.backend.create(
      "T", ["objectId": "t", "ACL": ["role:Members": ["read": true]]])
    let before = server.backend.object("T", "t")
    #expect(server.send("GET", "/classes/T/t", nil, user).status == 404)
    server.send(
      "PUT", "/roles/r1",
      ["users": ["__op": "AddRelation", "objects": [.pointer("_User", id)]]], server.asMaster)
    #expect(server.send("GET", "/classes/T/t", nil, user).status == 200)
    #expect(server.backend.object("T", "t") == before)
  }

  @Test func `class permissions refuse with 119, or with 101 where a login would do`() throws {
    var server = TestBackend { $0.allowCustomObjectId = true }
    let (_, user) = try signUp("ann", &server)
    try server.backend.create("T", ["objectId": "t", "a": 1])
    try server.backend.setPermissions(
      of: "T",
      ["find": ["*": true], "get": ["*": true], "create": ["requiresAuthentication": true]])
    func code(_ method: String, _ path: String, _ body: LoopbackValue? = nil) -> LoopbackValue? {
      server.send(method, path, body).json?["code"]
    }
    #expect(server.send("GET", "/classes/T").status == 200)
    #expect(code("GET", "/classes/T?count=1&limit=0") == 119)
    #expect(code("POST", "/classes/T", ["a": 1]) == 101)
    #expect(code("POST", "/classes/T", ["a": 1, "new": 1]) == 119)
    #expect(code("PUT", "/classes/T/t", ["a": 2]) == 119)
    #expect(code("DELETE", "/classes/T/t") == 119)
    #expect(server.send("POST", "/classes/T", ["a": 1], user).status == 201)
    #expect(server.send("DELETE", "/classes/T/t", nil, server.asMaster).status == 200)
  }

  @Test func `clients create no classes where that is not allowed`() {
    var server = TestBackend { $0.allowClientClassCreation = false }
    #expect(server.send("POST", "/classes/New", ["a": 1]).json?["code"] == 119)
    #expect(server.send("GET", "/classes/New").json?["code"] == 119)
    #expect(server.send("DELETE", "/classes/New/x").json?["code"] == 119)
    #expect(server.send("POST", "/classes/New", ["a": 1], server.asMaster).status == 201)
    #expect(server.send("GET", "/classes/New").status == 200)
  }

  @Test func `a trigger changes, refuses and is told of in the answer`() throws {
    var server = TestBackend { configuration in
      configuration.allowCustomObjectId = true
      configuration.triggers["T"] = LoopbackTriggers(
        beforeSave: { save in
          if save.changes["n"] == 13 { throw LoopbackError(code: 8001, message: "unlucky") }
          save.changes["seen"] = .string(save.original == nil ? "new" : "old")
          if save.changes["drop"] != nil { save.changes["drop"] = ["__op": "Delete"] }
        },
        beforeDelete: { row in
          if row["n"] == 7 { throw LoopbackError(code: 142, message: "kept") }
        },
        afterFind: { rows in rows.filter { $0["n"] != 99 } })
    }
    let created = server.send("POST", "/classes/T", ["objectId": "t", "n": 7, "drop": 1])
    #expect(created.json?["seen"] == "new")
    #expect(created.json?["drop"] == ["__op": "Delete"])
    let refused = server.send("PUT", "/classes/T/t", ["n": 13])
    #expect(refused.status == 400)
    #expect(refused.json == ["code": 8001, "error": "unlucky"])
    #expect(server.backend.object("T", "t")?["n"] == 7)
    #expect(server.send("PUT", "/classes/T/t", ["m": 1]).json?["seen"] == "old")
    #expect(server.send("DELETE", "/classes/T/t").json == ["code": 142, "error": "kept"])
    server.send("POST", "/classes/T", ["objectId": "hidden", "n": 99])
    #expect(server.ids("T", [:]) == ["t"])
    #expect(server.backend.count(of: "T") == 2)
  }

  @Test func `functions run, and refuse with a code of their own`() {
    var server = TestBackend { configuration in
      configuration.functions["hello"] = { parameters in
        guard let name = parameters["name"]?.string else {
          throw LoopbackError(code: 777, message: "no name")
        }
        return .string("hello \(name)")
      }
    }
    #expect(
      server.send("POST", "/functions/hello", ["name": "Ann"]).json == ["result": "hello Ann"])
    #expect(server.send("POST", "/functions/hello", [:]).json?["code"] == 777)
  }
}
