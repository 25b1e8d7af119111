// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import LoopbackParse

/// The transfer of one large file by the tool, beside that of a file of a quarter of its size.
///
/// The server keeps no byte of an upload, and makes those of a download while it sends them. So the size is limited by
/// the disk alone.
struct FileBenchmark: Benchmark {
  enum Direction { case upload, download }

  static let rounds = 3

  /// The most bytes of a body that the server looks at.
  private static let bodyLimit = 1 << 20
  private static let tool = MeasuredProcess.thisProgram.deletingLastPathComponent()
    .appending(path: "ferry")

  private let direction: Direction
  private let bytes: Int
  private let server: LoopbackServer
  private let folder = BenchmarkPlace.temporaryFolder()

  var limitName: String? { "a quarter" }

  init(_ direction: Direction, bytes: Int) throws {
    (self.direction, self.bytes) = (direction, bytes)
    var configuration = LoopbackConfiguration()
    configuration.maxUploadSize = Self.bodyLimit
    server = try LoopbackServer(backend: LoopbackBackend(configuration))
    let files: [LoopbackValue] = [Self.name(bytes), Self.name(bytes / 4)].map { name in
      ["title": .string(name), "file": ["__type": "File", "name": .string(name)]]
    }
    try server.load(files, of: "Film")
    server.setFault { [url = server.url] request in
      guard request.target.contains("/files/") else { return LoopbackFault() }
      return .respond(Self.answer(request, url))
    }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("mk\n".utf8).write(to: path("master-key"))
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: path("master-key").path(percentEncoded: false))
    _ = try run([
      "init", "--server", server.url, "--application-id", "app1", "--master-key-file",
      path("master-key").path(percentEncoded: false), "--class", "Film",
    ])
    _ = try run(["sync"])
  }

  /// The name says the size, by which the server answers a download.
  private static func name(_ bytes: Int) -> String {
    String(repeating: "0", count: 32) + "_\(bytes).bin"
  }

  private static func answer(_ request: LoopbackRequest, _ url: String) -> LoopbackResponse {
    if request.method == "POST" {
      let name = name(request.body.count) + UUID().uuidString
      return LoopbackResponse(
        status: 201, headers: ["Content-Type": "application/json"],
        body: Array(#"{"name":"\#(name)","url":"\#(url)/files/app1/\#(name)"}"#.utf8))
    }
    let size = request.target.split(separator: "_").last?.prefix { $0.isNumber } ?? "0"
    return LoopbackResponse(
      status: 200,
      headers: ["Content-Type": "application/octet-stream", "Content-Length": String(size)],
      body: [])
  }

  func measureFerry(_ round: Int) throws -> Measurement { try measure(bytes, row: 1) }

  func measureLimit(_ round: Int) throws -> Measurement? { try measure(bytes / 4, row: 2) }

  private func measure(_ bytes: Int, row: Int) throws -> Measurement {
    let place = ["--class", "Film", "--id", "\(row)"]
    switch direction {
    case .download:
      _ = try run(["files", "prune", "0"])
      return try run(["files", "get"] + place)
    case .upload:
      let film = path("film.bin")
      defer { try? FileManager.default.removeItem(at: film) }
      try makeFile(bytes, at: film)
      _ = try run(["files", "put", film.path(percentEncoded: false)] + place)
      let measurement = try run(["sync", "--max-upload", "\(bytes)"])
      _ = try run(["files", "prune", "0"])
      return measurement
    }
  }

  /// Makes a file that begins with other bytes each time, because an equal one would be no edit.
  private func makeFile(_ bytes: Int, at url: URL) throws {
    try Data(UUID().uuidString.utf8).write(to: url)
    let file = try FileHandle(forWritingTo: url)
    defer { try? file.close() }
    try file.truncate(atOffset: UInt64(bytes))
  }

  func end() {
    server.stop()
    try? FileManager.default.removeItem(at: folder)
  }

  private func path(_ name: String) -> URL { folder.appending(path: name) }

  private func run(_ arguments: [String]) throws -> Measurement {
    try MeasuredProcess.run(
      Self.tool, arguments + ["--quiet", "--directory", folder.path(percentEncoded: false)])
  }
}
