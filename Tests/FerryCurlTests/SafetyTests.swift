// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryCurl
import FerryHTTP
import FerryTestSupport
import Foundation
import Testing

/// Where the transport sends keys, and where keys may appear.
@Suite(.timeLimit(.minutes(1)))
struct SafetyTests {
  private let transport = CurlTransport()

  @Test(
    arguments: [301, 302, 303, 307, 308],
    [
      "https://elsewhere.example.com/p?token=canary", "//elsewhere.example.com/p",
      "http://canary@elsewhere.example.com/p",
    ])
  func `no redirect is followed, and the error names the other server and nothing else of it`(
    status: Int, location: String
  ) throws {
    try withServer { connection in
      while connection.readRequest() != nil {
        connection.answer(status, "", headers: "Location: \(location)\r\n")
      }
    } _: { server in
      let error = #expect(throws: HTTPError.self) {
        try transport.send(HTTPRequest(.post, server.url, body: Data("{}".utf8)))
      }
      #expect(error?.code == .redirectRefused)
      #expect(error?.outcome == .answered)
      #expect(error?.status == status)
      let message = try #require(error?.message)
      #expect(message.contains("//elsewhere.example.com"))
      #expect(!message.contains("canary"))
      #expect(server.requests.count == 1)
    }
  }

  @Test(arguments: ["127.0.0.1", "localhost"])
  func `the server that a redirect names never sees a key`(host: String) throws {
    try withServer { connection in
      _ = connection.readRequest()
    } _: { target in
      try withServer { connection in
        while connection.readRequest() != nil {
          connection.answer(307, "", headers: "Location: http://\(host):\(target.port)/\r\n")
        }
      } _: { server in
        let request = HTTPRequest(.get, server.url, headers: ["X-Parse-Master-Key": "canary"])
        #expect(throws: HTTPError.self) { try transport.send(request) }
        #expect(server.requests.first?.value("X-Parse-Master-Key") == "canary")
        #expect(target.connectionCount == 0)
      }
    }
  }

  @Test(arguments: [
    "http://parse.example.invalid/", "http://127.0.0.1.example.invalid/", "http://10.0.0.1/",
    "http://0.0.0.0/", "http://[::2]/", "http://localhost.example.invalid/",
    "http://127.example.invalid/", "http://128.0.0.1/", "HTTP://192.168.0.1/",
  ])
  func `keys go unencrypted to this machine only`(address: String) throws {
    let url = try #require(URL(string: address))
    let error = #expect(throws: HTTPError.self) { try transport.send(HTTPRequest(.get, url)) }
    #expect(error?.code == .cleartextRefused)
    #expect(error?.outcome == .notSent)
  }

  @Test(arguments: ["127.0.0.1", "127.1.2.3", "localhost", "LocalHost", "[::1]"])
  func `this machine may be reached unencrypted by all its names`(host: String) throws {
    let server = try ScriptedServer { _ in }
    server.stop()
    let url = try #require(URL(string: "http://\(host):\(server.port)/"))
    let error = #expect(throws: HTTPError.self) { try transport.send(HTTPRequest(.get, url)) }
    #expect(error?.code == .couldNotConnect)
  }

  @Test func `cleartext to other machines takes an explicit option`() throws {
    var options = CurlOptions()
    options.allowsCleartext = true
    // The transport looks up this nonexistent name, so it did not refuse it.
    let url = try #require(URL(string: "http://no-such-server.invalid/"))
    var request = HTTPRequest(.get, url)
    request.limits.totalTime = .seconds(20)
    let error = #expect(throws: HTTPError.self) {
      try CurlTransport(options: options).send(request)
    }
    #expect(error?.code == .couldNotResolve || error?.code == .timeout)
  }

  @Test(arguments: [
    "file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/", "classes/Game", "/classes",
    "https://", "https://user:canary@127.0.0.1/", "http://127.0.0.1:99999/",
  ])
  func `a URL that requests cannot use is refused`(address: String) throws {
    let url = try #require(URL(string: address))
    let error = #expect(throws: HTTPError.self) { try transport.send(HTTPRequest(.get, url)) }
    #expect(error?.code == .invalidURL)
    #expect(error?.outcome == .notSent)
    #expect(error?.message.contains("canary") == false)
  }

  @Test(arguments: ["canary\r\nX-Other: 1", "canary\n", "canary\0", "\u{7F}canary"])
  func `a header that would break out of its line is refused, by name only`(value: String) throws {
    try withServer { connection in
      while connection.readRequest() != nil { connection.answer() }
    } _: { server in
      let request = HTTPRequest(.get, server.url, headers: ["X-Parse-REST-API-Key": value])
      let error = #expect(throws: HTTPError.self) { try transport.send(request) }
      #expect(error?.code == .invalidHeader)
      #expect(error?.message.contains("X-Parse-REST-API-Key") == true)
      #expect(error?.message.contains("canary") == false)
      #expect(server.connectionCount == 0)
    }
  }

  @Test func `a secret shows in nothing that an error can print`() throws {
    try withServer { connection in
      _ = connection.readRequest()
      connection.write("HTTP/1.1 200 OK\r\nSet-Cookie: canary\r\nContent-Length: 9\r\n\r\ncanary")
    } _: { server in
      let url = try #require(URL(string: "\(server.url)/login?password=canary"))
      let request = HTTPRequest(
        .post, url, headers: ["X-Parse-Session-Token": "canary"], body: Data("canary".utf8))
      let error = try #require(throws: HTTPError.self) { try transport.send(request) }
      var dumped = ""
      dump(error, to: &dumped)
      dump(request, to: &dumped)
      for text in [
        "\(error)", String(reflecting: error), "\(request)", "\(error.cause as Any)", dumped,
      ] {
        #expect(!text.contains("canary"))
      }
    }
  }
}
