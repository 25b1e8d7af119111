// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import Foundation

/// Answers to a function of Ferry's Cloud Code that the function does not give.
enum ForeignAnswers {
  static func text(_ status: Int, _ body: String) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: ["Content-Type": "application/json"], body: Data(body.utf8))
  }

  /// Answers after which the function is left alone for a day.
  static let useless: [(String, HTTPResponse)] = [
    ("a page", text(200, "<html><body>Welcome</body></html>")),
    ("a gateway's page", text(502, "<html><body>Bad gateway</body></html>")),
    ("nothing", text(200, "")),
    ("another shape", text(200, #"{"result":["a","b"]}"#)),
    ("no result", text(200, #"{"results":[]}"#)),
    ("an error of its own", text(400, #"{"code":141,"error":"TypeError: x is undefined"}"#)),
    ("a class that it does not know", text(400, #"{"code":103,"error":"not set up for this"}"#)),
    ("no right", text(400, #"{"code":119,"error":"Permission denied"}"#)),
    ("no functions", text(404, "Cannot POST /functions/name")),
    ("forbidden by a proxy", text(403, "Forbidden")),
    ("an internal error", text(500, #"{"code":1,"error":"Internal server error."}"#)),
  ]

  /// Answers that concern one sync, while the server answers everything else.
  static let refusals: [(String, HTTPResponse)] = [
    ("a rate limit", text(429, "Too many requests")),
    ("a rate limit by code", text(400, #"{"code":155,"error":"Too many requests."}"#)),
    ("no session", text(400, #"{"code":206,"error":"Session missing."}"#)),
    ("an ended session", text(400, #"{"code":209,"error":"Invalid session token"}"#)),
  ]
}
