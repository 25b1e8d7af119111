// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryHTTP
import FerryTestSupport
import Foundation
import Synchronization
import Testing

@testable import FerryEngine

/// Answers that are not the file, or not all of it: no wrong content is ever shown.
@Suite(.timeLimit(.minutes(2))) struct FileAnswersTests {
  private static let unique = "0123456789abcdef0123456789abcdef_a.bin"
  private static let content = String(repeating: "0123456789", count: 20_000)

  /// A server whose files are answered by a script: one answer for each request, the last one for all further ones.
  private func server(
    _ answers: [@Sendable (WireConnection, WireRequest) -> Void]
  ) throws -> ScriptedServer {
    let count = Mutex(0)
    return try ScriptedServer { connection in
      guard let request = connection.readRequest() else { return }
      let number = count.withLock { count in
        count += 1
        return count
      }
      answers[min(number, answers.count) - 1](connection, request)
    }
  }

  private func world(_ server: ScriptedServer) throws -> FileWorld {
    try FileWorld(
      ParseServer(
        url: server.url("parse"), applicationID: "app1", keys: [.rest("the-key")]
      ).inSession(of: Secret("the-token")))
  }

  private func fetch(
    _ world: FileWorld, _ file: File = File(name: unique),
    _ change: (inout FileTerms) -> Void = { _ in }
  ) async -> (code: FileError.Code?, text: String?) {
    let coordinator = world.coordinator(change)
    let code = await fileErrorCode { () throws(FileError) in try await coordinator.fetchFile(file) }
    let text = coordinator.keptFile(file).flatMap { try? String(contentsOf: $0, encoding: .utf8) }
    return (code, text)
  }

  /// Sends the beginning of the content, and breaks the connection.
  private static func half(
    _ headers: String = ""
  ) -> @Sendable (WireConnection, WireRequest) -> Void {
    { connection, _ in
      connection.write(
        "HTTP/1.1 200 OK\r\n\(headers)Content-Length: 200000\r\n\r\n" + content.prefix(100_000))
    }
  }

  private static func whole(_ connection: WireConnection, _ request: WireRequest) {
    connection.answer(200, content)
  }

  private static func rest(
    _ range: String = "100000-199999/200000", from start: Int = 100_000, headers: String = ""
  ) -> @Sendable (WireConnection, WireRequest) -> Void {
    { connection, _ in
      connection.answer(
        206, String(content.dropFirst(start)),
        headers: "Content-Range: bytes \(range)\r\n\(headers)")
    }
  }

  @Test(arguments: ["100000-199999/200000", "100000-200000/200000"])
  func `a part that fits completes the file, as HTTP and as MongoDB's adapter name it`(
    range: String
  ) async throws {
    let server = try server([Self.half(), Self.rest(range)])
    defer { server.stop() }
    let (code, text) = try await fetch(world(server))
    #expect(code == nil && text == Self.content)
    #expect(server.requests.map { $0.value("Range") } == [nil, "bytes=100000-"])
  }

  @Test(arguments: [
    "0-99999/200000", "50000-199999/200000", "99999-199998/199999", "100000-199999/300000",
    "100000-150000/200000",
    "100000-199999/*", "x", "100000-199999",
  ])
  func `a part that does not fit is not used`(range: String) async throws {
    let server = try server([Self.half(), Self.rest(range), Self.whole])
    defer { server.stop() }
    let world = try world(server)
    let (code, text) = await fetch(world)
    #expect(code == nil && text == Self.content)
    #expect(server.requests.map { $0.value("Range") } == [nil, "bytes=100000-", nil])
    #expect(world.names(in: "parts").isEmpty)
  }

  @Test func `a file that has another tag by now is fetched anew`() async throws {
    let server = try server([
      Self.half("ETag: \"a\"\r\n"), Self.rest(headers: "ETag: \"b\"\r\n"), Self.whole,
    ])
    defer { server.stop() }
    let (code, text) = try await fetch(world(server))
    #expect(code == nil && text == Self.content)
    #expect(server.requests.map { $0.value("If-Range") } == [nil, "\"a\"", nil])
    #expect(server.requests.map { $0.value("Range") } == [nil, "bytes=100000-", nil])
  }

  @Test func `a part without a tag goes on behind one with a tag only if the name is unique`()
    async throws
  {
    for (name, ranges) in [
      ("logo.bin", [nil, "bytes=100000-", nil]), (Self.unique, [nil, "bytes=100000-"]),
    ] {
      let server = try server([Self.half("ETag: \"a\"\r\n"), Self.rest(), Self.whole])
      defer { server.stop() }
      let (code, text) = try await fetch(world(server), File(name: name))
      #expect(code == nil && text == Self.content)
      #expect(server.requests.map { $0.value("Range") } == ranges)
    }
  }

  @Test func `a download that always breaks off at one place, and cannot go on, ends`() async throws
  {
    let halves = Array(repeating: Self.half(), count: 20)
    let server = try server(halves + [Self.whole])
    defer { server.stop() }
    #expect(try await fetch(world(server), File(name: "logo.bin")).code == .tryAgain)
    #expect(server.requests.count < 10)
  }

  @Test func `a name of a file steers no terminal by way of an error`() async throws {
    let server = try server([{ c, _ in c.answer(404, "") }])
    defer { server.stop() }
    let world = try world(server)
    let file = File(name: "a\n\u{1B}[2J\u{2028}b", url: server.url("x").absoluteString)
    do throws(FileError) {
      _ = try await world.coordinator().fetchFile(file)
    } catch {
      #expect(error.code == .notFound)
      #expect(error.message.contains("a\u{FFFD}\u{FFFD}[2J\u{FFFD}b"), "\(error.message)")
    }
  }

  @Test func `files of other servers that have one name are two files`() async throws {
    let first = try server([Self.whole])
    defer { first.stop() }
    let second = try server([{ c, _ in c.answer(200, "another content") }])
    defer { second.stop() }
    let world = try world(first)
    let own = FileFolder.key(of: File(name: "a.bin"), on: world.server)
    for (path, key) in [("parse/files/app1/a.bin", own), ("bucket/a.bin?signature=1", nil)] {
      let file = File(name: "a.bin", url: first.url("").absoluteString + path)
      #expect((FileFolder.key(of: file, on: world.server) == own) == (key != nil))
    }
    #expect(await fetch(world, File(name: "a.bin")).text == Self.content)
    let other = second.url("bucket/a.bin").absoluteString
    #expect(await fetch(world, File(name: "a.bin", url: other + "?s=1")).text == "another content")
    // The signature of an address changes with each sync.
    #expect(await fetch(world, File(name: "a.bin", url: other + "?s=2")).text == "another content")
    #expect(second.requests.count == 1)
  }

  @Test func `a file whose name may get another content does not go on without a tag`() async throws
  {
    let server = try server([Self.half(), Self.whole])
    defer { server.stop() }
    let (code, text) = try await fetch(world(server), File(name: "logo.bin"))
    #expect(code == nil && text == Self.content)
    #expect(server.requests.map { $0.value("Range") } == [nil, nil])
  }

  @Test func `the whole file instead of a part replaces what was here`() async throws {
    let server = try server([Self.half(), Self.whole])
    defer { server.stop() }
    let (code, text) = try await fetch(world(server))
    #expect(code == nil && text == Self.content)
    #expect(server.requests.map { $0.value("Range") } == [nil, "bytes=100000-"])
  }

  @Test func `a server that refuses the range is asked for the whole`() async throws {
    let server = try server([Self.half(), { c, _ in c.answer(416, "") }, Self.whole])
    defer { server.stop() }
    let (code, text) = try await fetch(world(server))
    #expect(code == nil && text == Self.content)
  }

  @Test(arguments: [
    (
      "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>",
      "not-the-file"
    ),
    (
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
      "not-the-file"
    ),
    ("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\nxx", "not-the-file"),
    ("HTTP/1.1 200 OK\r\n\r\nno length", "not-the-file"),
    (
      "HTTP/1.1 206 Partial\r\nContent-Range: bytes 0-1/2\r\nContent-Length: 2\r\n\r\nxx",
      "not-the-file"
    ),
    ("HTTP/1.1 204 None\r\n\r\n", "not-the-file"),
    ("HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n", "not-the-file"),
    (
      "HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n",
      "not-the-file"
    ),
    ("HTTP/1.1 404 None\r\nContent-Length: 15\r\n\r\nFile not found.", "file-not-found"),
    ("HTTP/1.1 403 No\r\nContent-Length: 5\r\n\r\n<xml>", "file-forbidden"),
    ("HTTP/1.1 400 No\r\nContent-Length: 12\r\n\r\n{\"code\":209}", "login-needed"),
    ("HTTP/1.1 400 No\r\nContent-Length: 12\r\n\r\n{\"code\":119}", "file-forbidden"),
    ("HTTP/1.1 500 No\r\nContent-Length: 2\r\n\r\n{}", "try-again"),
    ("HTTP/1.1 200 OK\r\nContent-Length: 200000\r\n\r\nshort", "try-again"),
    ("HTTP/1.1 200 OK\r\nContent-Length: 5000000000\r\n\r\nlong", "file-too-large"),
    ("nonsense", "not-the-file"),
  ])
  func `an answer that is not the file is an error`(answer: String, code: String) async throws {
    let server = try server([{ connection, _ in connection.write(answer) }])
    defer { server.stop() }
    let world = try world(server)
    let outcome = await fetch(world)
    #expect(outcome.code?.rawValue == code)
    #expect(outcome.text == nil)
    #expect(world.names(in: "contents").isEmpty)
    if code != "try-again", code != "login-needed" { #expect(world.names(in: "parts").isEmpty) }
  }

  @Test func `an answer without an end stops at the limit`() async throws {
    let server = try server([
      { connection, _ in
        connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        let chunk = "10000\r\n" + String(repeating: "x", count: 65_536) + "\r\n"
        while connection.write(chunk) {}
      }
    ])
    defer { server.stop() }
    let world = try world(server)
    let outcome = await fetch(world) { $0.largest = 1_000_000 }
    #expect(outcome.code == .tooLarge)
    #expect(world.names(in: "parts").isEmpty)
  }

  @Test func `another server gets no keys, also behind a redirect`() async throws {
    let other = try server([Self.whole])
    defer { other.stop() }
    let location = "Location: \(other.url("parse/files/app1/x.bin").absoluteString)\r\n"
    let own = try server([{ c, _ in c.answer(302, "", headers: location) }])
    defer { own.stop() }
    let outcome = try await fetch(world(own))
    #expect(outcome.text == Self.content)
    let direct = File(name: "b.bin", url: other.url("parse/files/app1/y.bin").absoluteString)
    #expect(try await fetch(world(own), direct).text == Self.content)
    #expect(own.requests.count == 1)
    #expect(own.requests.first?.value("X-Parse-Session-Token") == "the-token")
    #expect(own.requests.first?.value("X-Parse-REST-API-Key") == "the-key")
    #expect(other.requests.count == 2)
    for request in other.requests { #expect(!request.head.contains("X-Parse")) }
  }

  @Test func `keys do not come back by way of another server`() async throws {
    let own = Mutex("")
    let other = try server([
      { connection, _ in
        let back = own.withLock { $0 } + "/parse/files/app1/z.bin"
        connection.answer(302, "", headers: "Location: \(back)\r\n")
      }
    ])
    defer { other.stop() }
    let first = "Location: \(other.url("parse/files/app1/x.bin").absoluteString)\r\n"
    let server = try server([{ c, _ in c.answer(302, "", headers: first) }, Self.whole])
    defer { server.stop() }
    own.withLock { $0 = server.url.absoluteString }
    let outcome = try await fetch(world(server))
    #expect(outcome.text == Self.content)
    #expect(server.requests.count == 2)
    #expect(server.requests.last?.head.contains("X-Parse") == false)
  }

  @Test func `redirects in a circle end`() async throws {
    let server = try server([
      { connection, _ in connection.answer(302, "", headers: "Location: /parse/files/app1/x\r\n") }
    ])
    defer { server.stop() }
    #expect(try await fetch(world(server)).code == .notTheFile)
    #expect(server.requests.count == 6)
  }

  @Test(arguments: ["", "ftp://example.com/a", "parse/a", "file:///etc/passwd"])
  func `a file without an address that can be asked is an error`(url: String) async throws {
    let server = try server([Self.whole])
    defer { server.stop() }
    #expect(try await fetch(world(server), File(name: "a", url: url)).code == .noAddress)
    #expect(server.requests.isEmpty)
  }

  @Test func `a full disk is an error, and leaves nothing over`() async throws {
    let server = try server([Self.whole])
    defer { server.stop() }
    let world = try world(server)
    let written = Mutex(0)
    let outcome = await fetch(world) { terms in
      terms.write = { descriptor, bytes in
        let isFull = written.withLock { written in
          written += bytes.count
          return written > 150_000
        }
        if isFull {
          errno = ENOSPC
          return -1
        }
        return write(descriptor, bytes.baseAddress, bytes.count)
      }
    }
    #expect(outcome.code == .diskFull)
    for name in ["contents", "names", "parts"] { #expect(world.names(in: name).isEmpty) }
    #expect(await fetch(world).text == Self.content)
  }

  @Test func `a process that was killed goes on where it was`() async throws {
    let server = try server([
      { connection, _ in
        connection.write(
          "HTTP/1.1 200 OK\r\nContent-Length: 200000\r\n\r\n" + Self.content.prefix(150_000))
        connection.stall()
      },
      { connection, request in
        let from = Int(request.value("Range")?.dropFirst(6).dropLast() ?? "") ?? 0
        Self.rest("\(from)-199999/200000", from: from)(connection, request)
      },
    ])
    defer { server.stop() }
    let world = try world(server)
    // curl hands on at most 16 KiB at a time, so one note is written, before the last bytes come.
    let fetch = world.coordinator { $0.noteEvery = 90_000 }
      .startFetching(File(name: Self.unique))
    for await progress in fetch.progress where progress.done == 150_000 { break }
    // The disk as a killed process leaves it: the note is older than the bytes.
    let note = try #require(world.names(in: "parts").first { $0.hasSuffix(".note") })
    let copy = try TemporaryDirectory()
    try FileManager.default.copyItem(
      at: world.files, to: copy.url.appending(path: "files"))
    fetch.cancel()
    let kept = try JSONDecoder().decode(
      PartialNote.self,
      from: Data(contentsOf: copy.url.appending(path: "files/parts").appending(path: note)))
    #expect((90_000..<150_000).contains(kept.bytes))
    let next = world.coordinator(in: copy.url)
    let url = try await next.fetchFile(File(name: Self.unique))
    #expect(try String(contentsOf: url, encoding: .utf8) == Self.content)
  }

  @Test func `a fetch just after a cancelled one goes on behind it`() async throws {
    let server = try server([
      { connection, _ in
        connection.write(
          "HTTP/1.1 200 OK\r\nContent-Length: 200000\r\n\r\n" + Self.content.prefix(100_000))
        connection.stall()
      }, Self.rest(),
    ])
    defer { server.stop() }
    let world = try world(server)
    let coordinator = world.coordinator()
    let first = coordinator.startFetching(File(name: Self.unique))
    for await progress in first.progress where progress.done == 100_000 { break }
    first.cancel()
    let url = try await coordinator.fetchFile(File(name: Self.unique))
    #expect(try String(contentsOf: url, encoding: .utf8) == Self.content)
    #expect(server.requests.map { $0.value("Range") } == [nil, "bytes=100000-"])
  }

  @Test func `a part that was damaged meanwhile is not gone on with`() async throws {
    let server = try server([Self.half(), Self.half(), Self.half(), Self.whole])
    defer { server.stop() }
    let world = try world(server)
    #expect(await fetch(world) { $0.retries.attempts = 1 }.code == .tryAgain)
    let part = try #require(world.names(in: "parts").first { !$0.hasSuffix(".note") })
    let file = try FileHandle(
      forUpdating: world.files.appending(path: "parts").appending(path: part))
    try file.seek(toOffset: 50_000)
    try file.write(contentsOf: Data("x".utf8))
    try file.close()
    let outcome = await fetch(world) { $0.retries.attempts = 4 }
    #expect(outcome.text == Self.content)
    #expect(server.requests.prefix(2).map { $0.value("Range") } == [nil, nil])
  }

  @Test func `a content that was cut is not shown`() async throws {
    let server = try server([Self.whole])
    defer { server.stop() }
    let world = try world(server)
    #expect(await fetch(world).text == Self.content)
    let kept = try #require(try world.cache.files.first)
    #expect(truncate(kept.url.path, 10) == 0)
    #expect(world.coordinator().keptFile(File(name: Self.unique)) == nil)
    #expect(await fetch(world).text == Self.content)
  }
}
