// Ferry: offline-first sync for Parse Server. MIT licence.

private let html = "<!DOCTYPE html><html><body>Log in to this network</body></html>"

extension EvilBehaviour {
  /// Redirects, refusals and answers of something else on the way.
  static let statuses: [EvilBehaviour] = [
    redirect("redirects to another server", 301, "https://elsewhere.example.com/parse"),
    redirect("redirects to a file", 302, "file:///etc/passwd"),
    redirect("redirects to another port of this machine", 307, "http://127.0.0.1:1/parse"),
    redirect("redirects to itself", 308, "/parse/classes/Game"),
    redirect("redirects to a password", 303, "http://user:password@elsewhere.example.com/"),
    redirect("redirects to gopher", 302, "gopher://127.0.0.1:1/_"),
    redirect("redirects to a local socket", 302, "unix:///var/run/docker.sock"),
    redirect(
      "redirects to 50,000 letters", 302, "http://\(String(repeating: "a", count: 50_000))/"),
    redirect("redirects to nothing", 302, ""),
    .answers("gives a choice", 300, "[]"),
    .answers("says that nothing has changed", 304),
    .answers("succeeds without content", 204),
    .answers("asks to start anew", 205),
    EvilBehaviour("sends a part of the answer") {
      [.send($0.bytes(status: 206, adding: "Content-Range: bytes 0-9/9999\r\n"))]
    },
    .answers("succeeds with a login page", 200, html),
    .answers("succeeds with nothing", 200),
    .answers("accepts for later", 202, "{}"),
    .answers("fails with a page", 500, html),
    .answers("fails with JSON of no meaning", 500, "{\"code\":[],\"error\":{}}"),
    .answers("is a gateway without a server", 502, html),
    .answers("is overloaded for a negative time", 503, "", adding: "Retry-After: -99999\r\n"),
    .answers(
      "is overloaded for a time beyond all numbers", 503, "", adding: "Retry-After: 1e400\r\n"),
    .answers(
      "is overloaded until the year 9999", 503, "",
      adding: "Retry-After: Fri, 31 Dec 9999 23:59:59 GMT\r\n"),
    .answers("is overloaded until no date", 503, "", adding: "Retry-After: soon\r\n"),
    .answers(
      "limits the rate with absurd numbers", 429, "",
      adding:
        "Retry-After: 99999999999999999999\r\nX-RateLimit-Reset: nan\r\nX-RateLimit-Remaining: -7\r\n"
    ),
    refusal("asks for a password", 401, "{}", adding: "WWW-Authenticate: Basic realm=\"any\"\r\n"),
    refusal("asks for Kerberos", 401, "{}", adding: "WWW-Authenticate: Negotiate\r\n"),
    refusal(
      "asks for a password of the proxy", 407, "",
      adding: "Proxy-Authenticate: Basic realm=\"a\"\r\n"),
    refusal("is a teapot", 418, "short and stout"),
    refusal("ends the session", 400, #"{"code":209,"error":"Invalid session token"}"#),
    refusal("refuses the application", 403, #"{"error":"unauthorized"}"#),
    refusal("finds no object", 404, #"{"code":101,"error":"Object not found."}"#),
    refusal("denies the permission", 400, #"{"code":119,"error":"Permission denied"}"#),
    refusal("refuses with a code beyond all numbers", 400, #"{"code":1e400,"error":"x"}"#),
    refusal("refuses with a code of words", 400, #"{"code":"one","error":7}"#),
    refusal(
      "refuses with a megabyte of words", 400,
      #"{"code":141,"error":"\#(String(repeating: "word ", count: 200_000))"}"#),
    refusal(
      "refuses with control characters", 400, #"{"code":141,"error":"\u001b[2J\u0007\u0000\u202e"}"#
    ),
    .answers("has lost the page", 404, html, at: reading),
    .answers("says that the request is too large", 413, "", at: reading),
    .answers("says that the address is too long", 414, "", at: reading),
  ]

  /// A refusal at a write that the server carried out would be a lie that nobody can notice.
  private static let reading = EvilExchange.allCases.filter {
    $0 != .write && $0 != .batchOfWrites
  }

  private static func refusal(
    _ name: String, _ status: Int, _ body: String, adding lines: String = ""
  ) -> EvilBehaviour {
    .answers(name, status, body, adding: lines, at: reading)
  }

  private static func redirect(_ name: String, _ status: Int, _ place: String) -> EvilBehaviour {
    .answers(name, status, "", adding: "Location: \(place)\r\n")
  }
}
