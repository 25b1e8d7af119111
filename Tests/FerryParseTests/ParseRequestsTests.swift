// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ParseRequestsTests {
  private let requests = ParseRequests(Sample.server)

  private func text(_ request: HTTPRequest) -> String {
    String(decoding: request.body, as: UTF8.self)
  }

  @Test func `requests for rows travel as a POST that is a read`() throws {
    let date = try #require(Timestamp("2026-03-01T18:30:00.250Z"))
    let request = try requests.find(
      "Game",
      ParseQuery(
        .all([
          .compare("updatedAt", .greaterThanOrEqual, .date(date)),
          .any([
            .compare("updatedAt", .greaterThan, .date(date)),
            .all([.equal("updatedAt", .date(date)), .compare("objectId", .greaterThan, "g1")]),
          ]),
        ]), order: ["updatedAt", "objectId"], keys: ["title", "score"], limit: 1000, counts: true))
    let written = #"{"__type":"Date","iso":"2026-03-01T18:30:00.250Z"}"#
    #expect(
      text(request)
        == #"{"_method":"GET","count":1,"keys":"title,score","limit":1000,"order":"updatedAt,objectId","#
        + #""where":{"$or":[{"updatedAt":{"$gt":\#(written)}},"#
        + #"{"objectId":{"$gt":"g1"},"updatedAt":\#(written)}],"updatedAt":{"$gte":\#(written)}}}"#)
    #expect(request.method == .post)
    #expect(!request.isWrite)
    #expect(request.url.absoluteString == "http://127.0.0.1:1337/parse/classes/Game")
    #expect(request.headers["Content-Type"] == "application/json")
  }

  @Test(arguments: [
    (ParseConstraint.equal("a", 1), #"{"a":1}"#),
    (.exists("a", false), #"{"a":{"$exists":false}}"#),
    (.oneOf("objectId", ["a", "b"]), #"{"objectId":{"$in":["a","b"]}}"#),
    (
      .oneOf("d", [.date(Timestamp(milliseconds: 0))]),
      #"{"$or":[{"d":{"__type":"Date","iso":"1970-01-01T00:00:00.000Z"}}]}"#
    ),
    (
      .all([.compare("n", .greaterThanOrEqual, 1), .compare("n", .lessThan, 5), .equal("t", "x")]
      ),
      #"{"n":{"$gte":1,"$lt":5},"t":"x"}"#
    ),
    (
      .all([.compare("n", .lessThan, 1), .compare("n", .lessThan, 5)]),
      #"{"$and":[{"n":{"$lt":1}},{"n":{"$lt":5}}]}"#
    ),
    (
      .all([.equal("n", 1), .compare("n", .lessThanOrEqual, 5)]),
      #"{"$and":[{"n":1},{"n":{"$lte":5}}]}"#
    ),
    (
      .all([.any([.equal("a", 1)]), .any([.equal("b", 1)])]),
      #"{"$and":[{"$or":[{"a":1}]},{"$or":[{"b":1}]}]}"#
    ),
    (
      .all([.present("n"), .compare("n", .lessThan, 5)]),
      #"{"$and":[{"n":{"$ne":null}},{"n":{"$lt":5}}]}"#
    ),
    (.all([]), "{}"),
  ])
  func `requests say constraints in the portable way`(constraint: ParseConstraint, json: String) {
    #expect(WireJSON.text(.object(constraint.wire)) == json)
  }

  @Test func `requests for counts ask for no rows`() throws {
    let request = try requests.count("Game", where: .exists("title", true))
    #expect(
      text(request) == #"{"_method":"GET","count":1,"limit":0,"where":{"title":{"$exists":true}}}"#)
    #expect(!request.isWrite)
  }

  @Test func `requests of several queries stand in one batch, with the mount path`() throws {
    let request = try requests.batch(reading: [
      ("Game", ParseQuery(limit: 5)), ("League", ParseQuery()),
    ])
    #expect(
      text(request)
        == #"{"requests":[{"body":{"limit":5},"method":"GET","path":"/parse/classes/Game"},"#
        + #"{"body":{},"method":"GET","path":"/parse/classes/League"}]}"#)
    #expect(!request.isWrite)
    #expect(request.url.absoluteString == "http://127.0.0.1:1337/parse/batch")
  }

  @Test func `requests that write say so`() throws {
    let create = try requests.write(.create(className: "Game", body: ["title": "a"]))
    #expect(create.method == .post && create.isWrite && text(create) == #"{"title":"a"}"#)
    let update = try requests.write(.update(className: "Game", objectID: "g1", body: [:]))
    #expect(update.method == .put && update.isWrite && text(update) == "{}")
    let delete = try requests.write(.delete(className: "Game", objectID: "g1"))
    #expect(delete.method == .delete && delete.isWrite && delete.body.isEmpty)
    #expect(delete.url.path() == "/parse/classes/Game/g1")
    let batch = try requests.batch(writing: [
      .create(className: "Game", body: ["objectId": "x"]),
      .update(className: "Game", objectID: "g1", body: ["a": nil]),
      .delete(className: "League", objectID: "g1"),
    ])
    #expect(batch.isWrite)
    #expect(
      text(batch)
        == #"{"requests":[{"body":{"objectId":"x"},"method":"POST","path":"/parse/classes/Game"},"#
        + #"{"body":{"a":null},"method":"PUT","path":"/parse/classes/Game/g1"},"#
        + #"{"method":"DELETE","path":"/parse/classes/League/g1"}]}"#)
  }

  @Test(arguments: [
    ("aZ0-_.~", "aZ0-_.~"), ("a b/c", "a%20b%2Fc"), ("../../users", "..%2F..%2Fusers"),
    ("a?b=1#c", "a%3Fb%3D1%23c"), ("%41", "%2541"), ("é\n", "%C3%A9%0A"),
  ])
  func `requests escape ids in paths`(id: String, escaped: String) throws {
    let request = try requests.write(.delete(className: "Game", objectID: id))
    #expect(request.url.absoluteString == "http://127.0.0.1:1337/parse/classes/Game/\(escaped)")
    let batch = try requests.batch(writing: [.delete(className: "Game", objectID: id)])
    #expect(text(batch).contains(#""path":"/parse/classes/Game/\#(escaped)""#))
  }

  @Test(arguments: ["", "..", ".", "a/b", "a?x", "1a", "a b", "_", "é"])
  func `requests refuse names that cannot stand in a path`(name: String) {
    #expect(throws: RequestError.self) { try requests.find(name, ParseQuery()) }
    #expect(throws: RequestError.self) {
      try requests.write(.delete(className: name, objectID: "a"))
    }
  }

  @Test func `requests take the server's own classes`() throws {
    #expect(try requests.find("_User", ParseQuery()).url.path() == "/parse/classes/_User")
    for id in ["", ".", ".."] {
      #expect(throws: RequestError.self) {
        try requests.write(.delete(className: "Game", objectID: id))
      }
    }
  }

  @Test func `requests refuse batches that are empty, too long, or touch one object twice`() throws
  {
    let many = (0...50).map { WriteOperation.create(className: "Game", body: ["n": .integer($0)]) }
    _ = try requests.batch(writing: Array(many.dropLast()))
    let twice: [WriteOperation] = [
      .create(className: "Game", body: ["objectId": "a"]),
      .delete(className: "Game", objectID: "a"),
    ]
    for (operations, code) in [([], .batchSize), (many, .batchSize), (twice, .sameObjectTwice)]
      as [([WriteOperation], RequestError.Code)]
    {
      let error = #expect(throws: RequestError.self) { try requests.batch(writing: operations) }
      #expect(error?.code == code)
    }
  }

  @Test func `requests ask about the server and the user`() throws {
    let requests = ParseRequests(Sample.server.inSession(of: Secret("r:1")))
    let expected = [
      (requests.health(), "GET /health"), (requests.serverInfo(), "GET /serverInfo"),
      (requests.schemas(), "GET /schemas"), (requests.currentUser(), "GET /users/me"),
      (requests.logout(), "POST /logout"),
      (requests.login(username: "u", password: Secret("p")), "POST /login"),
    ]
    for (request, line) in expected {
      #expect("\(request.method.rawValue) \(request.url.path().dropFirst(6))" == line)
      #expect(request.isWrite == (request.method == .post))
    }
    let login = expected[5].0
    #expect(login.headers["X-Parse-Session-Token"] == nil)
    #expect(expected[4].0.headers["X-Parse-Session-Token"] == "r:1")
    #expect(text(login) == #"{"password":"p","username":"u"}"#)
    #expect(!"\(login)".contains("password"))
  }
}
