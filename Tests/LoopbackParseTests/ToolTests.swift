// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import LoopbackParse
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Runs `parse-loopback` as a script would.
@Suite(.timeLimit(.minutes(1)))
struct ToolTests {
  private struct Run {
    let process: Process
    let output: FileHandle
    let errors: FileHandle

    init(_ arguments: [String]) throws {
      let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      process = Process()
      process.executableURL = folder.appendingPathComponent("parse-loopback")
      process.arguments = arguments
      let output = Pipe()
      let errors = Pipe()
      process.standardOutput = output
      process.standardError = errors
      self.output = output.fileHandleForReading
      self.errors = errors.fileHandleForReading
      try process.run()
    }

    /// Waits for the end; returns the exit code and both output streams.
    func finish() -> (code: Int32, output: String, errors: String) {
      let text = String(decoding: output.readDataToEndOfFile(), as: UTF8.self)
      let complaint = String(decoding: errors.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      return (process.terminationStatus, text, complaint)
    }

    /// The address in the line that reports the server ready.
    func url() -> String {
      var line: [UInt8] = []
      while let byte = output.readData(ofLength: 1).first, byte != UInt8(ascii: "\n") {
        line.append(byte)
      }
      return String(decoding: line, as: UTF8.self).replacingOccurrences(of: "ready ", with: "")
    }
  }

  private func withFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("loopback-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
  }

  private func request(
    _ method: String, _ url: String, _ body: LoopbackValue? = nil
  ) async throws -> LoopbackValue {
    var request = URLRequest(url: try #require(URL(string: url)), timeoutInterval: 20)
    request.httpMethod = method
    request.setValue("my-app", forHTTPHeaderField: "X-Parse-Application-Id")
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = body.map { Data($0.text.utf8) }
    let (data, _) = try await URLSession.shared.data(for: request)
    return try LoopbackValue(json: Array(data))
  }

  @Test func `state lives on from run to run`() async throws {
    try await withFolder { folder in
      let seed = folder.appendingPathComponent("seed.json").path
      let state = folder.appendingPathComponent("state.json").path
      try Data(#"{"Game":[{"objectId":"g1","title":"Final"}]}"#.utf8)
        .write(to: URL(fileURLWithPath: seed))
      let flags = ["--port", "0", "--application-id", "my-app", "--master-key", "secret"]
      let first = try Run(
        flags + ["--allow-custom-object-id", "--seed-data", seed, "--data", state])
      let url = first.url()
      #expect(url.hasPrefix("http://127.0.0.1:"))
      #expect(try await request("GET", url + "/classes/Game/g1")["title"] == "Final")
      _ = try await request("POST", url + "/classes/Game", ["objectId": "g2", "title": "Other"])
      first.process.terminate()
      #expect(first.finish().code == 0)
      let attributes = try FileManager.default.attributesOfItem(atPath: state)
      #expect(attributes[.posixPermissions] as? NSNumber == 0o600)

      let second = try Run(flags + ["--data", state, "--max-limit", "1"])
      let again = second.url()
      #expect(try await request("GET", again + "/classes/Game/g2")["title"] == "Other")
      #expect(try await request("GET", again + "/classes/Game")["results"]?.array?.count == 1)
      second.process.interrupt()
      #expect(second.finish().code == 0)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
    }
  }

  @Test(arguments: [true, false])
  func `a switch takes files from users alone`(isForUsers: Bool) async throws {
    let run = try Run(
      ["--port", "0", "--application-id", "my-app"] + (isForUsers ? ["--files-from-users"] : []))
    let answer = try await request("POST", run.url() + "/files/a.txt", ["a": 1])
    #expect(answer["code"] == (isForUsers ? 130 : nil))
    #expect((answer["name"] == nil) == isForUsers)
    run.process.terminate()
    #expect(run.finish().code == 0)
  }

  @Test(arguments: [
    (["--bogus"], "There is no option --bogus."), (["--port"], "--port needs a value."),
    (["--port", "70000"], "--port needs a number from 0 to 65535, not 70000."),
    (["--port", "x"], "--port needs a number from 0 to 65535, not x."),
    (["--max-limit", "0"], "--max-limit must be at least 1, not 0."),
  ])
  func `a wrong flag ends with 64 and a sentence`(
    _ arguments: [String], _ sentence: String
  ) throws {
    let (code, output, errors) = try Run(arguments).finish()
    #expect(code == 64)
    #expect(output.isEmpty)
    #expect(errors.contains(sentence))
  }

  @Test(
    arguments: [
      ("{bad", 65, "is not JSON: Expected property name in JSON at position 1."),
      (#"{"Game":[5]}"#, 65, "cannot be loaded: Game, row 0: a row must be an object."),
      (nil, 66, "cannot be read."),
    ] as [(String?, Int32, String)])
  func `a bad seed file is named with its problem`(
    _ text: String?, _ code: Int32, _ sentence: String
  ) async throws {
    try await withFolder { folder in
      let seed = folder.appendingPathComponent("seed.json")
      if let text { try Data(text.utf8).write(to: seed) }
      let end = try Run(["--seed-data", seed.path]).finish()
      #expect(end.code == code)
      #expect(end.errors.contains("\(seed.path) \(sentence)"))
    }
  }

  @Test func `help says what there is`() throws {
    let (code, output, _) = try Run(["--help"]).finish()
    #expect(code == 0)
    for flag in ["--port", "--application-id", "--master-key", "--seed-data", "--data"] {
      #expect(output.contains(flag))
    }
  }
}
