// Ferry: offline-first sync for Parse Server. MIT licence.

private let ok = "HTTP/1.1 200 OK\r\n"

extension EvilBehaviour {
  /// Wrong lengths and wrong chunks.
  static let lengths: [EvilBehaviour] = [
    length("announces more than it sends, and closes", .close) { "\($0 + 10)" },
    length("announces more than it sends, and stalls", .stall) { "\($0 + 10)" },
    length("announces less than it sends") { "\(max($0 - 5, 0))" },
    length("announces nothing and sends a body") { _ in "0" },
    length("announces a negative length") { "-\($0)" },
    length("announces the greatest length", .close) { _ in "9223372036854775807" },
    length("announces a length of thirty digits", .close) { _ in String(repeating: "9", count: 30)
    },
    length("announces a length in words", .close) { _ in "many" },
    length("announces a length in hexadecimal") { "0x" + String($0, radix: 16) },
    length("announces two lengths in one line") { "\($0), \($0 + 7)" },
    length("announces two lengths in two lines") { "\($0)\r\nContent-Length: \($0 + 7)" },
    EvilBehaviour("announces a length and sends chunks") { answer in
      [
        .send(answer.head(adding: "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n")),
        .send(chunk(answer.body) + chunk([])),
      ]
    },
    chunked("sends no last chunk", .close) { chunk($0) },
    chunked("sends no last chunk, and stalls", .stall) { chunk($0) },
    chunked("closes within a chunk", .close) { chunk($0).dropLast(9) },
    chunked("announces a chunk of the greatest size", .close) {
      Array("FFFFFFFFFFFFFFFF\r\n".utf8) + $0
    },
    chunked("announces a chunk of thirty digits", .close) {
      Array((String(repeating: "F", count: 30) + "\r\n").utf8) + $0
    },
    chunked("announces a negative chunk", .close) { Array("-5\r\n".utf8) + $0 },
    chunked("gives a chunk no size", .close) { Array("zz\r\n".utf8) + $0 },
    chunked("ends a chunk without a line break", .close) {
      chunk($0).dropLast(2) + Array("garbage".utf8)
    },
    chunked("sends one byte in a chunk") { $0.flatMap { chunk([$0]) } + chunk([]) },
    chunked("sends chunks without end", .sendEndlessly(many(chunk([0x20, 0x20])))) { _ in [] },
    chunked("sends a chunk size without end", .sendEndlessly(many([0x30]))) { _ in [] },
    chunked("sends a chunk extension without end", .sendEndlessly(many([0x61]))) { _ in
      Array("2;a=".utf8)
    },
    chunked("sends trailers without end", .sendEndlessly(many(Array("X-Any: thing\r\n".utf8)))) {
      chunk($0) + Array("0\r\n".utf8)
    },
    chunked("sends one trailer line without end", .sendEndlessly(many([0x61]))) {
      chunk($0) + Array("0\r\nX-Any: ".utf8)
    },
    chunked("sends trailers that contradict the headers") {
      chunk($0)
        + Array("0\r\nContent-Length: 1\r\nContent-Encoding: gzip\r\nDate: never\r\n\r\n".utf8)
    },
    EvilBehaviour("sends a body without end") { _ in
      [.text("\(ok)\r\n{\"results\":[\""), .sendEndlessly([UInt8](repeating: 0x61, count: 65536))]
    },
    EvilBehaviour("sends an announced body without end") { _ in
      [
        .text("\(ok)Content-Length: 9223372036854775807\r\n\r\n"),
        .sendEndlessly([UInt8](repeating: 0x20, count: 65536)),
      ]
    },
  ]

  /// Announces another length in front of the true body.
  private static func length(
    _ name: String, _ ending: EvilStep? = nil, _ announced: @escaping @Sendable (Int) -> String
  ) -> EvilBehaviour {
    EvilBehaviour(name) { answer in
      let head = answer.head(adding: "Content-Length: \(announced(answer.body.count))\r\n")
      return [.send(head + answer.body)] + (ending.map { [$0] } ?? [])
    }
  }

  /// Sends the body as bytes after the announcement of chunks.
  private static func chunked(
    _ name: String, _ ending: EvilStep? = nil, _ chunks: @escaping @Sendable ([UInt8]) -> [UInt8]
  ) -> EvilBehaviour {
    EvilBehaviour(name) { answer in
      let head = answer.head(adding: "Transfer-Encoding: chunked\r\n")
      return [.send(head + chunks(answer.body))] + (ending.map { [$0] } ?? [])
    }
  }
}

private func chunk(_ bytes: [UInt8]) -> [UInt8] {
  Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [13, 10]
}

/// The bytes again and again, so that they travel in large parts.
private func many(_ bytes: [UInt8]) -> [UInt8] {
  Array(repeatElement(bytes, count: 4000).joined())
}
