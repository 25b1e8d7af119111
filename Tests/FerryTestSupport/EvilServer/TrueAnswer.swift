// Ferry: offline-first sync for Parse Server. MIT licence.

import LoopbackParse

/// The answer that a good server would give, which an evil server distorts.
package struct TrueAnswer: Sendable {
  package var status: Int
  package var headers: String
  package var body: [UInt8]
  /// How often the behaviour was played before.
  package var number: Int

  var text: String { String(decoding: body, as: UTF8.self) }
  var json: LoopbackValue { (try? LoopbackValue(json: body)) ?? .null }

  /// The bytes of a correct answer, with another body or further header lines.
  func bytes(
    status: Int? = nil, adding lines: String = "", body other: [UInt8]? = nil
  ) -> [UInt8] {
    let body = other ?? body
    return head(status: status, adding: "Content-Length: \(body.count)\r\n\(lines)") + body
  }

  /// The bytes of the status line and all header lines except the length.
  func head(status: Int? = nil, adding lines: String = "") -> [UInt8] {
    Array("HTTP/1.1 \(status ?? self.status) Any\r\n\(headers)\(lines)\r\n".utf8)
  }
}
