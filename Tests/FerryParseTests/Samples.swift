// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse
import Foundation

/// The schema of the tests: leagues, and games with a field of every type.
enum Sample {
  static let game = Entity("Game") {
    Field("title", .text)
    Field("score", .integer)
    Field("rating", .number)
    Field("isFinal", .boolean)
    Field("playedAt", .date)
    Field("league", .pointer(to: "League"))
    Field("token", .bytes)
    Field("extra", .object)
    Field("tags", .array)
    Field("place", .geoPoint)
    Field("area", .polygon)
    Field("badge", .file)
    Field("players", .relation(to: "Player"))
  }

  static let server = ParseServer(
    url: URL(filePath: "/"), applicationID: "app1",
    keys: [.rest("rest-key"), .master("master-key")]
  ).at("http://127.0.0.1:1337/parse/")

  static func response(
    _ status: Int = 200, _ body: String, headers: HTTPHeaders = HTTPHeaders()
  ) -> HTTPResponse {
    HTTPResponse(status: status, headers: headers, body: Data(body.utf8))
  }

  static func body(_ request: HTTPRequest) throws -> Value {
    try Value(json: String(decoding: request.body, as: UTF8.self))
  }
}

extension ParseServer {
  /// The same server at another address; an invalid address changes nothing.
  func at(_ address: String) -> ParseServer {
    var server = self
    server.url = URL(string: address) ?? url
    return server
  }
}
