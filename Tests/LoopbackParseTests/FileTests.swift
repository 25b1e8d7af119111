// Ferry: offline-first sync for Parse Server. MIT licence.

import LoopbackParse
import Testing

/// Uploading, fetching and deleting files.
@Suite(.timeLimit(.minutes(1)))
struct FileTests {
  private func upload(
    _ server: inout TestBackend, _ name: String, _ text: String, _ type: String = "text/plain"
  ) -> LoopbackResponse {
    server.backend.answer(
      LoopbackRequest(
        "POST", "/parse/files/\(name)", headers: server.with(["Content-Type": type]),
        body: Array(text.utf8)))
  }

  @Test func `a file is stored under a new name and fetched without a key`() throws {
    var server = TestBackend()
    let made = upload(&server, "hello.txt", "hello")
    #expect(made.status == 201)
    let name = try #require(made.json?["name"]?.string)
    #expect(name.hasSuffix("_hello.txt"))
    #expect(upload(&server, "hello.txt", "hello").json?["name"] != .string(name))
    let fetched = server.send("GET", "/files/app1/\(name)", nil, [:])
    #expect(fetched.text == "hello")
    #expect(fetched.headers["Content-Type"] == "text/plain; charset=utf-8")
    #expect(server.send("DELETE", "/files/\(name)").status == 403)
    #expect(server.send("DELETE", "/files/\(name)", nil, server.asMaster).status == 200)
    #expect(server.send("GET", "/files/app1/\(name)", nil, [:]).text == "File not found.")
    #expect(server.send("DELETE", "/files/\(name)", nil, server.asMaster).json?["code"] == 153)
  }

  @Test func `a file may come as JSON with its credentials`() throws {
    var server = TestBackend()
    let made = server.send(
      "POST", "/files/j.txt",
      ["_ApplicationId": "app1", "base64": "aGk=", "_ContentType": "text/plain"], [:])
    let name = try #require(made.json?["name"]?.string)
    #expect(server.send("GET", "/files/app1/\(name)").text == "hi")
  }

  @Test(
    arguments: [
      ("a.txt", "", 130), ("a.html", "x", 130), ("a%20b$.txt", "x", 122),
      (String(repeating: "a", count: 130), "x", 122),
    ] as [(String, String, Double)])
  func `a file that may not be stored is refused`(
    _ name: String, _ text: String, _ code: Double
  ) {
    var server = TestBackend()
    let answer = upload(&server, name, text)
    #expect(answer.status == 400)
    #expect(answer.json?["code"] == .number(code))
  }
}
