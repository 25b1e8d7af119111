// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// A real Parse Server that a benchmark fills and empties.
///
/// It is one of `Tools/RealServer/start`: its application is `app1`, and its master key is public.
struct RealServer {
  let url: String

  /// Clients may not add fields, and the first batches would all add them at once.
  func createClass() throws {
    let note = """
      {"title": "", "count": 1, "ratio": 0.5, "done": true, "when": {"__type": "Date", "iso": "2026-01-01T00:00:00.000Z"},
      "tags": [], "place": {"__type": "GeoPoint", "latitude": 0, "longitude": 0},
      "owner": {"__type": "Pointer", "className": "Person", "objectId": "p1"}, "body": "", "ferryKey": "first"}
      """
    _ = try ask("POST", "classes/Note", body: note)
  }

  func empty() throws { _ = try ask("DELETE", "purge/Note") }

  /// Sends a request with the master key, which stands in a file that only this program reads.
  func ask(_ method: String, _ path: String, body: String? = nil) throws -> Data {
    var lines = [
      "url = \(url)/\(path)", "request = \(method)", "silent", "show-error", "fail-with-body",
      "header = \"X-Parse-Application-Id: app1\"", "header = \"X-Parse-Master-Key: mk\"",
      "header = \"Content-Type: application/json\"",
    ]
    let file = BenchmarkPlace.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: file) }
    if let body {
      try Data(body.utf8).write(to: file)
      lines.append("data = \"@\(file.path(percentEncoded: false))\"")
    }
    let process = Process()
    let (input, output) = (Pipe(), Pipe())
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["curl", "--config", "-"]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    input.fileHandleForWriting.write(Data(lines.joined(separator: "\n").utf8))
    try input.fileHandleForWriting.close()
    let answer = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Refused(request: "\(method) \(path)", answer: String(decoding: answer, as: UTF8.self))
    }
    return answer
  }

  private struct Refused: Error, CustomStringConvertible {
    var request: String
    var answer: String
    var description: String { "the real server refused \(request): \(answer)" }
  }
}
