// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryParse
import Foundation
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ParseServerTests {
  @Test(arguments: [
    ("https://parse.example.com/1", "https://parse.example.com/1#app1", "/1"),
    ("http://127.0.0.1:1337/parse/", "http://127.0.0.1:1337/parse#app1", "/parse"),
    ("https://parse.example.com", "https://parse.example.com#app1", ""),
    ("https://[::1]:99/a%20b//", "https://[::1]:99/a%20b#app1", "/a%20b"),
  ])
  func `a Parse server names what a store is bound to`(
    address: String, identity: String, mount: String
  ) throws {
    let server = Sample.server.at(address)
    try server.validate()
    #expect(server.identity == identity)
    #expect(server.mountPath == mount)
    #expect(ParseRequests(server).health().url.absoluteString.hasSuffix("\(mount)/health"))
  }

  @Test(arguments: [
    ("parse.example.com/1", ParseServerError.Code.notAnAddress),
    ("ftp://example.com", .notAnAddress),
    ("file:///etc", .notAnAddress), ("https:///1", .notAnAddress),
    ("https://example.com/1?a=b", .unusedParts), ("https://example.com/1#a", .unusedParts),
    ("https://me:pass@example.com/1", .unusedParts),
  ])
  func `a Parse server is refused with an address that cannot be one`(
    address: String, code: ParseServerError.Code
  ) {
    let error = #expect(throws: ParseServerError.self) { try Sample.server.at(address).validate() }
    #expect(error?.code == code)
    #expect(error?.message.contains("pass") == false)
    #expect(error?.message.contains("nothing was sent") == true)
  }

  @Test(arguments: ["", " ", "a\nb", "a\u{0}"])
  func `a Parse server is refused with a key that cannot stand in a header`(key: String) {
    var server = Sample.server
    server.keys = [.rest(key)]
    let error = #expect(throws: ParseServerError.self) { try server.validate() }
    #expect(error?.code == .unusableKey)
  }

  @Test func `a Parse server sends its keys, and the token of the moment`() {
    let token = Mutex<Secret?>(nil)
    var server = Sample.server
    server.keys = [.rest("a\n"), .javascript("b"), .client("c"), .dotNet("d"), .master("e")]
    server.session = RequestSession { token.withLock { $0 } }
    #expect(server.headers()["X-Parse-Session-Token"] == nil)
    token.withLock { $0 = Secret("r:1") }
    let headers = server.headers()
    #expect(headers["X-Parse-Application-Id"] == "app1")
    #expect(headers["Content-Type"] == "application/json")
    #expect(headers["X-Parse-REST-API-Key"] == "a")
    #expect(headers["X-Parse-Javascript-Key"] == "b")
    #expect(headers["X-Parse-Client-Key"] == "c")
    #expect(headers["X-Parse-Windows-Key"] == "d")
    #expect(headers["X-Parse-Master-Key"] == "e")
    #expect(headers["X-Parse-Session-Token"] == "r:1")
    #expect(server.headers(withSession: false)["X-Parse-Session-Token"] == nil)
    #expect(server.usesMasterKey)
  }

  @Test func `a Parse server shows no secret, however it is printed`() {
    var server = Sample.server
    server = server.inSession(of: Secret("r:hidden"))
    server.sessionToken = { Secret("r:hidden") }
    let key = ParseServer.Key.rest("rest-key")
    for text in [
      "\(server)", String(reflecting: server), "\(key)", String(reflecting: key), dumped(server),
      dumped(key),
      "\(server.headers())", dumped(Secret("rest-key")), "\(ParseRequests(server).logout())",
      dumped(ParseRequests(server)),
    ] {
      for secret in ["rest-key", "master-key", "hidden"] { #expect(!text.contains(secret)) }
    }
  }

  private func dumped(_ value: some Any) -> String {
    var text = ""
    dump(value, to: &text)
    return text
  }
}
