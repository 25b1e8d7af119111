// Ferry: offline-first sync for Parse Server. MIT licence.

private let ok = "HTTP/1.1 200 OK\r\n"

extension EvilBehaviour {
  /// Too many, too long and misleading header lines.
  static let headers: [EvilBehaviour] = [
    endless("sends headers without end", ok, "X-Any: thing\r\n"),
    endless("sends one header line without end", "\(ok)X-Any: ", "aaaaaaaa"),
    endless("sends a status line without end", "HTTP/1.1 200 ", "OKOKOKOK"),
    endless("sends a folded header line without end", "\(ok)X-Any: a\r\n", " folded\r\n"),
    endless("asks to continue without end", "", "HTTP/1.1 100 Continue\r\n\r\n"),
    endless("sends early hints without end", "", "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"),
    endless("sends cookies without end", ok, "Set-Cookie: a=b; Path=/\r\n"),
    .adds(
      "sends 500 cookies",
      (0..<500).map { "Set-Cookie: c\($0)=\($0); Domain=.example.com\r\n" }.joined()),
    .adds("sends a header of 60,000 bytes", "X-Any: \(String(repeating: "a", count: 60_000))\r\n"),
    .adds("sends a header line without a colon", "no colon at all\r\n"),
    .adds("sends a header without a name", ": nothing\r\n"),
    .adds("sends a header with a zero byte", "X-Any: a\u{0}b\r\n"),
    .adds("sends a header that is no UTF-8 by its meaning", "X-Any: \u{FFFD}\u{202E}\u{200B}\r\n"),
    .adds("sends a folded header", "X-Any: a\r\n b\r\n\tc\r\n"),
    .adds("asks for a wait of minus a second", "Retry-After: -1\r\n"),
    .adds("gives a date in the year 9999", "Date: Fri, 31 Dec 9999 23:59:59 GMT\r\n"),
    .adds("gives a date in 1970", "Date: Thu, 01 Jan 1970 00:00:00 GMT\r\n"),
    .adds("gives a date that is none", "Date: never\r\n"),
    .adds("gives a date of a thousand digits", "Date: \(String(repeating: "9", count: 1000))\r\n"),
    .adds("names another place beside a success", "Location: http://127.0.0.1:1/parse\r\n"),
    .adds(
      "offers another server for the future",
      "Alt-Svc: h2=\"elsewhere.example.com:443\"; ma=9999999\r\nStrict-Transport-Security: max-age=9999999\r\n"
    ),
    .adds("says that the answer is a picture", "Content-Type: image/png\r\n"),
    .adds("says that the text is UTF-16", "Content-Type: application/json; charset=utf-16\r\n"),
    .adds(
      "renews the session by a header", "X-Parse-Session-Token: r:0\r\nX-Parse-Job-Status-Id: 1\r\n"
    ),
    .adds("refreshes into another page", "Refresh: 0; url=http://127.0.0.1:1/\r\n"),
  ]

  private static func endless(_ name: String, _ start: String, _ more: String) -> EvilBehaviour {
    let block = String(repeating: more, count: 100)
    return EvilBehaviour(name) { _ in [.text(start), .sendEndlessly(Array(block.utf8))] }
  }
}
