// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// The tag of an answer's body, by which a client can ask whether it has changed.
///
/// It saves bytes only: the server has done all its work before it compares.
enum EntityTag {
  /// Tags an answer, and empties it where the client has it already or asked for the head alone.
  static func settle(_ response: inout LoopbackResponse, for request: LoopbackRequest) {
    let type = response.headers["Content-Type"] ?? ""
    let isRead = request.method == "GET" || request.method == "HEAD"
    // A file has no tag, also one of JSON: Express does not make its answer.
    let isFile = response.headers["X-Content-Type-Options"] != nil
    if type.hasPrefix("application/json"), !isFile {
      let tag = tag(of: response.body)
      response.headers["ETag"] = tag
      if isRead, (200...299).contains(response.status),
        isKnown(tag, to: request.headers)
      {
        response.status = 304
        response.headers["Content-Type"] = nil
        response.body = []
      }
    }
    guard request.method == "HEAD" else { return }
    if isFile { response.headers["Content-Length"] = String(response.body.count) }
    response.body = []
  }

  /// Whether a client has the version of that tag, and does not ask for it anew.
  private static func isKnown(_ tag: String, to headers: LoopbackHeaders) -> Bool {
    guard let known = headers["If-None-Match"] else { return false }
    if words(headers["Cache-Control"] ?? "").contains("no-cache") { return false }
    return known == "*" || words(known).contains { $0 == tag || "W/" + $0 == tag }
  }

  private static func words(_ list: String) -> [String] {
    list.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
  }

  /// Length and a hash, weak as Express makes them; the algorithm is FNV-1a.
  private static func tag(of body: [UInt8]) -> String {
    let hash = body.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return "W/\"\(String(body.count, radix: 16))-\(String(hash, radix: 36))\""
  }
}
