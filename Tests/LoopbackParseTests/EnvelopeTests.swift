// Ferry: offline-first sync for Parse Server. MIT licence.

import LoopbackParse
import Testing

/// Answers that the server gives before a request reaches its route.
@Suite(.timeLimit(.minutes(1)))
struct EnvelopeTests {
  struct Example: Sendable, CustomTestStringConvertible {
    let method: String
    let target: String
    let headers: LoopbackHeaders
    let body: String
    let status: Int
    let answer: LoopbackValue?
    var testDescription: String { "\(method) \(target) \(body)" }
  }

  private static let app: LoopbackHeaders = ["X-Parse-Application-Id": "app1"]

  private static func example(
    _ method: String, _ target: String, _ headers: LoopbackHeaders = app, _ body: String = "",
    _ status: Int, _ answer: LoopbackValue? = nil
  ) -> Example {
    Example(
      method: method, target: target, headers: headers, body: body, status: status, answer: answer)
  }

  static let examples: [Example] = [
    example("GET", "/parse/health", [:], "", 200, ["status": "ok"]),
    example("GET", "/other", [:], "", 404),
    example("GET", "/parse/nope", app, "", 404),
    example("PATCH", "/parse/classes/A", app, "", 404),
    example("GET", "/parse/functions/x", app, "", 404),
    example("PUT", "/parse/classes/A", app, "", 404),
    example("GET", "/parse/nope", [:], "", 403, ["error": "unauthorized"]),
    example(
      "GET", "/parse/classes/A", ["X-Parse-Application-Id": "zz"], "", 403,
      ["error": "unauthorized"]),
    example(
      "POST", "/parse/classes/A", [:], #"{"_ApplicationId":"app1","_method":"GET"}"#, 200,
      ["results": []]),
    example(
      "POST", "/parse/classes/A", [:], #"{"_ApplicationId":"app1","_MasterKey":5}"#, 403,
      ["error": "unauthorized"]),
    // The server finds malformed JSON before the missing application id.
    example("POST", "/parse/classes/A", [:], "{bad", 400),
    example("POST", "/parse/classes/A", app, "5", 400),
    example("POST", "/parse/classes/A", app, #""x""#, 400),
    example("POST", "/parse/classes/A", app, "{\"n\":01}", 400),
    example("POST", "/parse/classes/A", app, "[]", 201),
    example("POST", "/parse/classes/A", app, "", 201),
    example("GET", "/parse/schemas", app, "", 403, ["error": "Permission denied"]),
    example("OPTIONS", "/parse/classes/A", [:], "", 200),
    example(
      "GET", "/parse/classes/A?bogus=1", app, "", 400,
      ["code": 102, "error": "Invalid parameter for query: bogus"]),
    example(
      "GET", "/parse/classes/A/x?bogus=1", app, "", 400,
      ["code": 102, "error": "Improper encode of parameter"]),
    example(
      "POST", "/parse/functions/x", app, "{}", 400,
      ["code": 141, "error": "Invalid function: \"x\""]),
  ]

  @Test(arguments: examples)
  func `is answered as the real server answers`(_ example: Example) {
    var server = TestBackend()
    let answer = server.backend.answer(
      LoopbackRequest(
        example.method, example.target, headers: example.headers, body: Array(example.body.utf8)))
    #expect(answer.status == example.status)
    if let expected = example.answer { #expect(answer.json == expected) }
  }

  @Test func `an unknown route is Express's page`() {
    var server = TestBackend()
    let answer = server.send("GET", "/nope")
    #expect(answer.headers["Content-Type"] == "text/html; charset=utf-8")
    #expect(answer.text.contains("<pre>Cannot GET /parse/nope</pre>"))
  }

  @Test func `a form's content type makes the body a field's name`() {
    var server = TestBackend()
    let form: LoopbackHeaders = ["Content-Type": "application/x-www-form-urlencoded"]
    let answer = server.send("POST", "/classes/A", ["a": 1], server.with(form))
    #expect(answer.json == ["code": 105, "error": #"Invalid field name: {"a":1}."#])
    #expect(server.backend.violations.map(\.kind) == [.formContentType])
  }

  @Test func `client keys are asked for when one is set, and the master key stands above`() {
    var server = TestBackend { $0.restAPIKey = "rest" }
    #expect(server.send("GET", "/classes/A").status == 403)
    let wrong = server.with(["X-Parse-REST-API-Key": "no"])
    #expect(server.send("GET", "/classes/A", nil, wrong).status == 403)
    let right = server.with(["X-Parse-REST-API-Key": "rest"])
    #expect(server.send("GET", "/classes/A", nil, right).status == 200)
    #expect(server.send("GET", "/classes/A", nil, server.asMaster).status == 200)
  }

  @Test func `a wrong master key leaves an ordinary client`() {
    var server = TestBackend()
    let wrong = server.with(["X-Parse-Master-Key": "wrong"])
    #expect(server.send("GET", "/classes/A", nil, wrong).status == 200)
    #expect(server.send("GET", "/schemas", nil, wrong).status == 403)
    #expect(server.send("GET", "/schemas", nil, server.asMaster).status == 200)
  }

  @Test func `a body above the limit is refused`() {
    var server = TestBackend { $0.maxUploadSize = 10 }
    let answer = server.send("POST", "/classes/A", ["text": "0123456789"])
    #expect(answer.status == 413)
    #expect(answer.json == ["error": "request entity too large"])
  }

  @Test func `the Date header is the server's clock, with its skew`() {
    var exact = TestBackend()
    #expect(exact.send("GET", "/health").headers["Date"] == "Tue, 14 Nov 2023 22:13:20 GMT")
    var fast = TestBackend { $0.dateHeaderSkew = 3600 }
    #expect(fast.send("GET", "/health").headers["Date"] == "Tue, 14 Nov 2023 23:13:20 GMT")
    var silent = TestBackend { $0.dateHeaderSkew = nil }
    #expect(silent.send("GET", "/health").headers["Date"] == nil)
  }
}
