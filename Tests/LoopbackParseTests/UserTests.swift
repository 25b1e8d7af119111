// Ferry: offline-first sync for Parse Server. MIT licence.

import LoopbackParse
import Testing

/// Users, logins and sessions.
@Suite(.timeLimit(.minutes(1)))
struct UserTests {
  private let ann: LoopbackValue = ["username": "ann", "password": "p1", "email": "ann@x.org"]

  private func session(
    _ answer: LoopbackResponse, _ server: TestBackend
  ) throws -> LoopbackHeaders {
    server.with(["X-Parse-Session-Token": try #require(answer.json?["sessionToken"]?.string)])
  }

  @Test func `a user signs up, logs in, is found and logs out`() throws {
    var server = TestBackend()
    let made = server.send("POST", "/users", ann)
    #expect(made.status == 201)
    let id = try #require(made.json?["objectId"]?.string)
    #expect(made.headers["Location"]?.hasSuffix("/users/\(id)") == true)
    let login = server.send("POST", "/login", ["username": "ann", "password": "p1"])
    #expect(login.status == 200)
    #expect(login.json?["ACL"] == .object([id: ["read": true, "write": true]]))
    #expect(login.text.contains("p1") == false)
    let headers = try session(login, server)
    #expect(server.send("GET", "/users/me", nil, headers).json?["username"] == "ann")
    #expect(
      server.send("GET", "/sessions/me", nil, headers).json?["user"] == .pointer("_User", id))
    #expect(server.send("POST", "/logout", [:], headers).json == [:])
    let gone = server.send("GET", "/classes/T", nil, headers)
    #expect(gone.status == 400)
    #expect(gone.json == ["code": 209, "error": "Invalid session token"])
    #expect(server.send("POST", "/logout", [:]).status == 200)
  }

  static let refusals: [(LoopbackValue, Double)] = [
    (["username": "ANN", "password": "p"], 202),
    (["username": "b", "password": "p", "email": "Ann@X.org"], 203), (["password": "p"], 200),
    (["username": "b"], 201), (["username": "b", "password": ""], 201),
    (["username": "b", "password": "p", "email": "bad"], 125),
    (["authData": ["foo": ["id": "1"]]], 252),
  ]

  @Test(arguments: refusals)
  func `a sign-up that cannot be is refused`(_ body: LoopbackValue, _ code: Double) {
    var server = TestBackend()
    server.send("POST", "/users", ann)
    #expect(server.send("POST", "/users", body).json?["code"] == .number(code))
    #expect(server.backend.count(of: "_User") == 1)
  }

  @Test(
    arguments: [
      (["username": "ann", "password": "no"], 404, 101), (["username": "ann"], 400, 201),
      ([:], 400, 200), (["username": "nobody", "password": "p1"], 404, 101),
    ] as [(LoopbackValue, Int, Double)])
  func `a login that fails says why`(_ body: LoopbackValue, _ status: Int, _ code: Double) {
    var server = TestBackend()
    server.send("POST", "/users", ann)
    let answer = server.send("POST", "/login", body)
    #expect(answer.status == status)
    #expect(answer.json?["code"] == .number(code))
  }

  @Test func `a new password ends all sessions and brings a token`() throws {
    var server = TestBackend()
    let made = server.send("POST", "/users", ann)
    let id = try #require(made.json?["objectId"]?.string)
    let first = try session(made, server)
    let second = try session(
      server.send("POST", "/login", ["username": "ann", "password": "p1"]), server)
    let changed = server.send("PUT", "/users/\(id)", ["password": "p2"], first)
    let fresh = try session(changed, server)
    #expect(server.send("GET", "/users/me", nil, first).json?["code"] == 209)
    #expect(server.send("GET", "/users/me", nil, second).json?["code"] == 209)
    #expect(server.send("GET", "/users/me", nil, fresh).status == 200)
    #expect(server.send("POST", "/login", ["username": "ann", "password": "p1"]).status == 404)
    let byMaster = server.send("PUT", "/users/\(id)", ["password": "p3"], server.asMaster)
    #expect(byMaster.json?["sessionToken"] == nil)
    #expect(server.send("GET", "/users/me", nil, fresh).json?["code"] == 209)
  }

  @Test func `a user is written by itself alone, and hidden from others`() throws {
    var server = TestBackend()
    let id = try #require(server.send("POST", "/users", ann).json?["objectId"]?.string)
    #expect(server.send("PUT", "/users/\(id)", ["n": 1]).json?["code"] == 206)
    #expect(server.send("DELETE", "/users/\(id)").json?["code"] == 206)
    #expect(server.send("GET", "/users/\(id)").json?["code"] == 101)
    #expect(server.send("GET", "/users").json == ["results": []])
    #expect(server.send("GET", "/users/\(id)", nil, server.asMaster).json?["email"] == "ann@x.org")
  }

  @Test func `an anonymous login is one user however often it is sent`() {
    var server = TestBackend()
    let body: LoopbackValue = ["authData": ["anonymous": ["id": "device-1"]]]
    let first = server.send("POST", "/users", body)
    let second = server.send("POST", "/users", body)
    #expect(first.status == 201)
    #expect(second.status == 200)
    #expect(second.json?["objectId"] == first.json?["objectId"])
    #expect(server.backend.count(of: "_User") == 1)
  }

  @Test func `the server ends sessions when it wants to`() throws {
    var server = TestBackend()
    let headers = try session(server.send("POST", "/users", ann), server)
    server.backend.revokeAllSessions()
    let batch = server.send("POST", "/batch", ["requests": []], headers)
    #expect(batch.json?["code"] == 209)
  }
}
