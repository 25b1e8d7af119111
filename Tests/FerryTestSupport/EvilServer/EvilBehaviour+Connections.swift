// Ferry: offline-first sync for Parse Server. MIT licence.

private let ok = "HTTP/1.1 200 OK\r\n"

extension EvilBehaviour {
  /// Connections that end, stall, or speak something else.
  static let connections: [EvilBehaviour] = [
    EvilBehaviour("closes at once") { _ in [.close] },
    EvilBehaviour("resets at once") { _ in [.reset] },
    EvilBehaviour("resets before the request is carried out", carriesOut: false) { _ in [.reset] },
    .sends("closes within the status line", "HTTP/1.1 20"),
    .sends("closes within the headers", "\(ok)Content-Le"),
    EvilBehaviour("closes before the body") {
      [.send($0.bytes().dropLast($0.body.count)), .close]
    },
    EvilBehaviour("closes within the body") {
      [.send($0.bytes().dropLast($0.body.count / 2 + 1)), .close]
    },
    EvilBehaviour("resets within the headers") { [.send(Array($0.bytes().prefix(30))), .reset] },
    EvilBehaviour("resets within the body") { [.send($0.bytes().dropLast(1)), .reset] },
    EvilBehaviour("answers and closes without announcing it") { [.send($0.bytes()), .close] },
    EvilBehaviour("answers and resets") { [.send($0.bytes()), .reset] },
    EvilBehaviour("resets the kept connection at its next request") {
      [.send($0.bytes()), .resetAtNextRequest]
    },
    EvilBehaviour("stalls before the headers") { _ in [.stall] },
    EvilBehaviour("stalls within the headers") { [.send(Array($0.bytes().prefix(30))), .stall] },
    EvilBehaviour("stalls before the body") {
      [.send($0.bytes().dropLast($0.body.count)), .stall]
    },
    EvilBehaviour("stalls within the body") { [.send($0.bytes().dropLast(1)), .stall] },
    EvilBehaviour("stalls without carrying the request out", carriesOut: false) { _ in [.stall] },
    EvilBehaviour("sends headers one byte at a time") { _ in [.text("\(ok)X-Any: "), .drip(0x61)] },
    EvilBehaviour("sends a body one byte at a time") { _ in
      [.text("\(ok)Content-Length: 1000000\r\n\r\n"), .drip(0x20)]
    },
    EvilBehaviour("sends interim answers one byte at a time") { _ in
      [.text("HTTP/1.1 100 Continue\r\nX-Any: "), .drip(0x61)]
    },
    EvilBehaviour("sends a TLS alert") { _ in [.send([0x15, 3, 3, 0, 2, 2, 40]), .close] },
    EvilBehaviour("sends a TLS greeting and stalls") { _ in
      [
        .send([0x16, 3, 3, 0, 122, 2, 0, 0, 118, 3, 3] + [UInt8](repeating: 7, count: 116)), .stall,
      ]
    },
    EvilBehaviour("sends a body without headers") { [.send($0.body), .close] },
    EvilBehaviour("sends zero bytes without end") { _ in
      [.sendEndlessly([UInt8](repeating: 0, count: 4096))]
    },
    EvilBehaviour("sends line breaks without end") { _ in
      [.sendEndlessly([UInt8](repeating: 10, count: 4096))]
    },
    .sends("greets like a mail server", "220 mail.example.com ESMTP\r\n"),
    .sends("greets like SSH", "SSH-2.0-OpenSSH_9.2\r\n"),
    .sends(
      "speaks HTTP/2 unasked",
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\u{0}\u{0}\u{0}\u{4}\u{0}\u{0}\u{0}\u{0}\u{0}"),
    .sends("names an absurd version", "HTTP/9.9 200 OK\r\nContent-Length: 2\r\n\r\n{}"),
    .sends(
      "names a version of a thousand digits",
      "HTTP/1.\(String(repeating: "1", count: 1000)) 200 OK\r\n\r\n{}"),
    .sends("gives the status 99", "HTTP/1.1 99 Any\r\nContent-Length: 2\r\n\r\n{}"),
    .sends("gives the status 999", "HTTP/1.1 999 Any\r\nContent-Length: 2\r\n\r\n{}"),
    .sends("gives a negative status", "HTTP/1.1 -200 OK\r\nContent-Length: 2\r\n\r\n{}"),
    .sends("gives a status of twenty digits", "HTTP/1.1 20000000000000000000 OK\r\n\r\n{}"),
    .sends(
      "switches to a web socket",
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n\u{1}\u{2}"
    ),
    EvilBehaviour("switches to HTTP/2 and stalls") { _ in
      [
        .text("HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n"),
        .stall,
      ]
    },
    EvilBehaviour("sends the answer of HTTP/1.0 and half the body") { answer in
      [
        .text("HTTP/1.0 200 OK\r\n\r\n"), .send(Array(answer.body.prefix(answer.body.count / 2))),
        .close,
      ]
    },
    EvilBehaviour("sends a second answer behind the first") {
      [.send($0.bytes() + $0.bytes(status: 500, body: Array("{\"code\":1}".utf8)))]
    },
    EvilBehaviour("sends garbage behind the answer") {
      [.send($0.bytes() + [UInt8](repeating: 0x7B, count: 3000))]
    },
    EvilBehaviour("sends garbage behind the answer without end") {
      [.send($0.bytes()), .sendEndlessly([UInt8](repeating: 0x7B, count: 4096))]
    },
    EvilBehaviour("sends the answer three times") {
      [.send($0.bytes()), .send($0.bytes()), .send($0.bytes())]
    },
  ]
}
