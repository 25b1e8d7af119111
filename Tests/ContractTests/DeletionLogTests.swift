// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

/// The deletion log of Ferry's Cloud Code on a real server, where writes fail, entries grow old and processes end.
@Suite(
  .enabled(
    if: RealServer.script != nil && RealServer.modules != nil, "no real server can be started"),
  .serialized, .timeLimit(.minutes(5)))
struct DeletionLogTests {
  private static let module: LoopbackValue = ["classes": ["Game"], "days": 30]

  @Test func `an entry that cannot be written leaves a gap and no error`() async throws {
    try await RealServer.running(.init(module: Self.module)) { server in
      let log = LogReader(server)
      let ids = try await log.access.create("Game", [["title": "a"], ["title": "b"]])
      let since = try await log.start()
      _ = try await server.sql(#"ALTER TABLE "FerryDeletion" RENAME TO "Elsewhere""#)
      try await log.access.delete("Game", [ids[0]])
      _ = try await server.sql(#"ALTER TABLE "Elsewhere" RENAME TO "FerryDeletion""#)
      let afterGap = try await log.answer(since: since)
      #expect(afterGap["isComplete"] == false)
      #expect(afterGap["ids"] == [])
      try await log.access.delete("Game", [ids[1]])
      let next = try await log.answer(since: afterGap["until"])
      #expect(next["isComplete"] == true)
      #expect(next["ids"] == [.string(ids[1])])
    }
  }

  @Test func `old entries leave the log, which then says so`() async throws {
    try await RealServer.running(.init(module: Self.module)) { server in
      let log = LogReader(server)
      let ids = try await log.access.create("Game", [["title": "a"]])
      let now = Date().timeIntervalSince1970 * 1000
      let days = [29.0, 30.5, 31.5].map { (now - $0 * 86_400_000).rounded() }
      // An answer shows that the log has begun.
      _ = try await log.start()
      // The log of a server that has run for a year.
      _ = try await server.sql(
        #"UPDATE "FerryLogStart" SET "at" = \#(now - 365 * 86_400_000)"#)
      for (index, moment) in days.enumerated() {
        _ = try await server.sql(
          """
          INSERT INTO "FerryDeletion" ("objectId", "createdAt", "updatedAt", "of", "record", "at", "readers")
          VALUES ('old\(index)', now(), now(), 'Game', 'gone\(index)', \(moment), '["*"]')
          """)
      }
      let kept = try await log.answer(since: .string(String(Int64(days[0]) - 1)))
      #expect(kept["ids"] == ["gone0"])
      let older = try await log.answer(since: .string(String(Int64(days[1]))))
      #expect(older["isComplete"] == false)
      try await log.access.delete("Game", ids)
      var entries: Set<String> = []
      for _ in 0..<200 where entries.isEmpty || entries.contains("old2") {
        entries = Set(try await log.access.rows(of: "FerryDeletion").keys)
      }
      #expect(entries.isSuperset(of: ["old0", "old1"]))
      #expect(!entries.contains("old2"))
    }
  }

  @Test func `a trigger of the operator writes the entry`() async throws {
    let file = RealServer.folder.appending(path: "../CloudCode/ferry.cjs").standardized.path
    let code = """
      const ferry = require(\(LoopbackValue.string(file).text))({ classes: ["Game"], ownTriggers: ["Game"] });
      Parse.Cloud.afterDelete("Game", async request => { if (request.object.get("title")) await ferry.record(request); });
      """
    try await RealServer.running(.init(cloudCode: code)) { server in
      let log = LogReader(server)
      let ids = try await log.access.create("Game", [["title": "a"], ["score": 1]])
      let since = try await log.start()
      try await log.access.delete("Game", ids)
      let answer = try await log.answer(since: since)
      #expect(answer["ids"] == [.string(ids[0])])
    }
  }

  @Test func `each start of the server begins the log anew`() async throws {
    let folder = try TemporaryDirectory()
    var since: LoopbackValue?
    for start in 1...2 {
      try await StartedServer.running(in: folder, ["--module", Self.module.text]) { url in
        let log = LogReader(url)
        let answer = try await log.answer(since: since)
        #expect(answer["isComplete"] == false)
        since = try await log.start()
        let next = try await log.answer(since: since)
        #expect(next["isComplete"] == true, "start \(start)")
      }
    }
    // Without the module, deletions leave no trace.
    try await StartedServer.running(in: folder, []) { url in
      let access = RealServerAccess(url)
      try await access.delete("Game", try await access.create("Game", [["title": "a"]]))
      await #expect(throws: RealServerError.self) { _ = try await LogReader(url).start() }
    }
    try await StartedServer.running(in: folder, ["--module", Self.module.text]) { url in
      let answer = try await LogReader(url).answer(since: since)
      #expect(answer["isComplete"] == false)
    }
  }

  @Test(arguments: [
    #"{}"#, #"{"classes":[]}"#, #"{"classes":"Game"}"#, #"{"classes":["Game"],"logged":["Team"]}"#,
    #"{"classes":["Game"],"logged":[],"ownTriggers":["Game"]}"#, #"{"classes":["Game"],"days":0}"#,
    #"{"classes":["Game"],"day":3}"#,
  ])
  func `a mistake in the options has a message`(_ options: String) async throws {
    let node = Process()
    let output = Pipe()
    node.executableURL = URL(filePath: "/usr/bin/env")
    node.arguments = ["node", "-e", "require('./ferry.cjs')(\(options))"]
    node.currentDirectoryURL = RealServer.folder.appending(path: "../CloudCode").standardized
    node.standardInput = FileHandle.nullDevice
    node.standardOutput = FileHandle.nullDevice
    node.standardError = output
    let text = try await onOwnThread {
      try node.run()
      return String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }
    node.waitUntilExit()
    #expect(node.terminationStatus != 0)
    #expect(text.contains("Error: ferry: "), "\(text)")
  }

  @Test func `a mistake in the options ends the start`() async throws {
    let folder = try TemporaryDirectory()
    await #expect(throws: RealServerError.self) {
      try await StartedServer.running(in: folder, ["--module", #"{"classes":["Game"],"day":3}"#]) {
        _ in
      }
    }
  }
}

/// The function that reads the log of the class Game, as a client calls it.
private struct LogReader {
  let access: RealServerAccess

  init(_ server: RealServer) { access = RealServerAccess(server) }

  init(_ url: URL) { access = RealServerAccess(url) }

  func answer(since: LoopbackValue?) async throws -> LoopbackValue {
    var parameters: [String: LoopbackValue] = ["class": "Game"]
    parameters["since"] = since
    return try await access.call("ferryDeletions", parameters)
  }

  /// The place at which a client begins.
  func start() async throws -> LoopbackValue? { try await answer(since: nil)["until"] }
}

/// A real server that ends and starts again with the same database.
private enum StartedServer {
  static func running(
    in folder: TemporaryDirectory, _ arguments: [String], _ body: (URL) async throws -> Void
  ) async throws {
    let start = Process()
    let output = Pipe()
    start.executableURL = RealServer.folder.appending(path: "start")
    start.arguments = ["--dir", folder.url.path] + arguments
    start.standardInput = FileHandle.nullDevice
    start.standardOutput = output
    start.standardError = FileHandle.nullDevice
    let line = try await onOwnThread {
      // The child inherits this thread's blocked signals, and libdispatch's threads block SIGTERM.
      var none = sigset_t()
      sigemptyset(&none)
      pthread_sigmask(SIG_SETMASK, &none, nil)
      try start.run()
      return String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    }
    defer {
      start.terminate()
      start.waitUntilExit()
    }
    guard line.hasPrefix("ready "), let url = URL(string: String(line.dropFirst(6).dropLast()))
    else { throw RealServerError("The server did not start.") }
    try await body(url)
  }
}
