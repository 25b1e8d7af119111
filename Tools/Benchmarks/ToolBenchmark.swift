// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation
import LoopbackParse

/// Commands of the tool on a store that is in step with its server.
struct ToolBenchmark: Benchmark {
  enum Command: String {
    case help, status, plan
  }

  private let command: Command
  private let server: LoopbackServer
  private let folder = BenchmarkPlace.temporaryFolder()
  private static let tool = MeasuredProcess.thisProgram.deletingLastPathComponent()
    .appending(path: "ferry")

  /// A plan works on a copy of the store.
  var limitName: String? { command == .plan ? "cp" : nil }

  init(_ command: Command, records: Int) throws {
    self.command = command
    server = try LoopbackServer()
    guard command != .help else { return }
    let notes = NoteGenerator().notes(records)
    try server.load(notes)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let key = folder.appending(path: "master-key")
    guard
      FileManager.default.createFile(
        atPath: key.path(percentEncoded: false), contents: Data("mk\n".utf8),
        attributes: [.posixPermissions: 0o600])
    else { throw CocoaError(.fileWriteUnknown) }
    _ = try run([
      "init", "--server", server.url, "--application-id", "app1", "--master-key-file",
      key.path(percentEncoded: false), "--class", "Note",
    ])
    _ = try run(["sync"])
  }

  func measureFerry(_ round: Int) throws -> Measurement {
    guard command != .help else { return try MeasuredProcess.run(Self.tool, ["--help"]) }
    let before = server.requestCount
    var measurement = try run([command.rawValue, "--quiet"])
    measurement.requests = server.requestCount - before
    return measurement
  }

  func measureLimit(_ round: Int) throws -> Measurement? {
    guard command == .plan else { return nil }
    let copy = folder.appending(path: "copy.sqlite")
    defer { try? FileManager.default.removeItem(at: copy) }
    let store = folder.appending(path: "store.sqlite")
    return try MeasuredProcess.run(
      URL(filePath: "/bin/cp"), [store, copy].map { $0.path(percentEncoded: false) })
  }

  func end() {
    server.stop()
    try? FileManager.default.removeItem(at: folder)
  }

  private func run(_ arguments: [String]) throws -> Measurement {
    try MeasuredProcess.run(
      Self.tool, arguments + ["--directory", folder.path(percentEncoded: false)])
  }
}
