// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation

/// Creates of an app's rows on a real Parse Server, beside a client that sends the same batches and keeps nothing.
///
/// The server is one of `Tools/RealServer/start`: its application is `app1`, and its master key is public.
struct RealPushBenchmark: Benchmark {
  static let rounds = 3

  private let server: String
  private let records: Int
  private let folder = BenchmarkPlace.temporaryFolder()
  private let filled: BenchmarkPlace

  var limitName: String? { "limit's push" }

  init(server: String, records: Int) throws {
    self.server = server
    self.records = records
    filled = BenchmarkPlace(folder: folder.appending(path: "filled"), server: server)
    try BenchmarkStep(.fill, at: filled, records).measured()
    try createClass()
  }

  func measureFerry(_ round: Int) throws -> Measurement {
    try measure("ferry-\(round)") { place in
      var measurement = try BenchmarkStep(.push, at: place, records).measured()
      measurement.parts = try BenchmarkParts(file: place.parts).seconds
      return measurement
    }
  }

  func measureLimit(_ round: Int) throws -> Measurement? {
    try measure("limit-\(round)") { place in
      try place.measureLimit(["push", place.database.path(percentEncoded: false), place.server])
    }
  }

  func end() {
    try? empty()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Measures a client with an empty class, and refuses where the server lacks a record then.
  private func measure(
    _ name: String, _ run: (BenchmarkPlace) throws -> Measurement
  ) throws -> Measurement {
    try empty()
    let place = try filled.copied(to: folder.appending(path: name))
    defer { try? place.remove() }
    let measurement = try run(place)
    // Without a condition, PostgreSQL only estimates.
    let condition = "%7B%22objectId%22%3A%7B%22%24exists%22%3Atrue%7D%7D"
    let answer = try ask("GET", "classes/Note?count=1&limit=0&where=\(condition)")
    let arrived = try JSONDecoder().decode(Counted.self, from: answer).count
    guard arrived == records else { throw BenchmarkStep.Incomplete(done: arrived) }
    return measurement
  }

  /// Clients may not add fields, and the first batches would all add them at once.
  private func createClass() throws {
    let note = """
      {"title": "", "count": 1, "ratio": 0.5, "done": true, "when": {"__type": "Date", "iso": "2026-01-01T00:00:00.000Z"},
      "tags": [], "place": {"__type": "GeoPoint", "latitude": 0, "longitude": 0},
      "owner": {"__type": "Pointer", "className": "Person", "objectId": "p1"}, "body": "", "ferryKey": "first"}
      """
    _ = try ask("POST", "classes/Note", body: note)
  }

  private func empty() throws { _ = try ask("DELETE", "purge/Note") }

  /// Sends a request with the master key, which stands in a file that only this program reads.
  private func ask(_ method: String, _ path: String, body: String? = nil) throws -> Data {
    var lines = [
      "url = \(server)/\(path)", "request = \(method)", "silent", "show-error", "fail-with-body",
      "header = \"X-Parse-Application-Id: app1\"", "header = \"X-Parse-Master-Key: mk\"",
      "header = \"Content-Type: application/json\"",
    ]
    if let body {
      let file = folder.appending(path: "body.json")
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

  private struct Counted: Decodable { var count: Int }

  private struct Refused: Error, CustomStringConvertible {
    var request: String
    var answer: String
    var description: String { "the real server refused \(request): \(answer)" }
  }
}
