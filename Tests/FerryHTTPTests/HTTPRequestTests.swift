// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import Foundation
import Testing

@Suite
struct HTTPRequestTests {
  private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

  @Test(arguments: [
    (HTTPMethod.get, false), (.post, true), (.put, true), (.delete, true),
    (HTTPMethod(rawValue: "PATCH"), true),
  ])
  func `every verb but GET counts as a write unless the caller says otherwise`(
    method: HTTPMethod, isWrite: Bool
  ) throws {
    let url = try url("https://parse.example.com/1")
    #expect(HTTPRequest(method, url).isWrite == isWrite)
    #expect(HTTPRequest(method, url, isWrite: !isWrite).isWrite == !isWrite)
  }

  @Test func `a description shows verb, server and path, and no secret`() throws {
    let request = HTTPRequest(
      .post, try url("https://user:canary@parse.example.com:1337/1/login?password=canary#canary"),
      headers: ["X-Parse-Master-Key": "canary"], body: Data("canary".utf8))
    #expect("\(request)" == "POST https://parse.example.com:1337/1/login (6 bytes)")
    var dumped = ""
    dump(request, to: &dumped)
    #expect(!dumped.contains("canary"))
    #expect(!String(reflecting: [request]).contains("canary"))
  }

  @Test(arguments: [
    ("http://[::1]:80/a", "http://[::1]:80"), ("https://a.example/b?c", "https://a.example"),
    ("nothing", "?://?"),
  ])
  func `a server is named by scheme, host and port`(text: String, name: String) throws {
    #expect(try url(text).server == name)
  }

  @Test func `an answer's description shows status and size, and nothing of its body`() {
    let response = HTTPResponse(
      status: 200, headers: ["Set-Cookie": "canary"], body: Data("canary".utf8))
    #expect("\(response)" == "200, Set-Cookie: ••• (6 bytes)")
    var dumped = ""
    dump(response, to: &dumped)
    #expect(!dumped.contains("canary"))
  }

  @Test(
    arguments: [
      ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
      ("Sat, 21 Nov 2026 23:59:59 GMT", 1_795_305_599), ("", nil), ("120", nil),
      ("2026-11-21T09:00:00Z", nil), ("Sun, 06 Nov 1994 08:49:37", nil),
      ("Sun, 06 Nov 1994 08:49:37 +0200", nil), ("GMT", nil),
      ("Sun, 99 Nov 1994 08:49:37 GMT", nil),
    ] as [(String, Double?)])
  func `a date of HTTP is read, and nothing else is`(text: String, seconds: Double?) {
    let response = HTTPResponse(status: 200, headers: ["date": text])
    #expect(response.date?.timeIntervalSince1970 == seconds)
  }
}
