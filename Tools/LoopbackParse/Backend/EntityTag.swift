// Ferry: offline-first sync for Parse Server. MIT licence.

/// The tag that stands for an answer's body, by which a client can ask whether it has changed.
///
/// It saves bytes only: the server has done all its work before it compares.
enum EntityTag {
  /// Tags an answer, and empties it where the client has it already or asked for the head alone.
  static func settle(_ response: inout LoopbackResponse, for request: LoopbackRequest) {
    let type = response.headers["Content-Type"] ?? ""
    let isRead = request.method == "GET" || request.method == "HEAD"
    if type.hasPrefix("application/json") {
      let tag = tag(of: response.body)
      response.headers["ETag"] = tag
      if isRead, (200...299).contains(response.status),
        isKnown(tag, to: request.headers["If-None-Match"])
      {
        response.status = 304
        response.headers["Content-Type"] = nil
        response.body = []
      }
    }
    if request.method == "HEAD" { response.body = [] }
  }

  private static func isKnown(_ tag: String, to client: String?) -> Bool {
    guard let client else { return false }
    return client == "*" || client.contains(tag)
  }

  /// Length and a hash, weak as Express makes them; the algorithm is FNV-1a.
  private static func tag(of body: [UInt8]) -> String {
    let hash = body.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return "W/\"\(String(body.count, radix: 16))-\(String(hash, radix: 36))\""
  }
}
