// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryTestSupport
import Foundation
import Testing

/// The built tool, running.
final class FerryProcess {
  struct Result {
    var code: Int32
    var output: String
    var errors: String
    /// The most memory that the process held, in megabytes; nil where the system does not tell.
    var peakMemory: Int?

    /// The lines of the output, as JSON.
    var messages: [[String: Any]] {
      output.split(separator: "\n").compactMap {
        (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any]
      }
    }

    /// The last line of the output, as JSON.
    var lastMessage: [String: Any]? {
      let line = output.split(separator: "\n").last.map { Data($0.utf8) } ?? Data()
      return (try? JSONSerialization.jsonObject(with: line)) as? [String: Any]
    }
  }

  static let executable = BuiltProgram.file("ferry")

  private let process = Process()
  private let streams: TemporaryFolder

  init(
    program: URL = FerryProcess.executable, _ arguments: [String], in folder: URL,
    environment: [String: String] = [:]
  ) throws {
    streams = try TemporaryFolder()
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = ["PATH": "/usr/bin:/bin", "TMPDIR": streams.path]
      .merging(environment) { $1 }
    // The output goes to files, so that any amount of output cannot stop the process.
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: streams.write("", to: "output"))
    process.standardError = try FileHandle(forWritingTo: streams.write("", to: "errors"))
    try process.run()
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  func send(_ signal: Int32) { kill(identifier, signal) }

  var identifier: Int32 { process.processIdentifier }

  var errors: String { text("errors") }

  /// The arguments as Linux shows them to other users' programs while it runs.
  var commandLine: String {
    let path = "/proc/\(process.processIdentifier)/cmdline"
    return String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
  }

  /// Waits for the end, at most a minute, without blocking a thread that other tests need.
  func result() async -> Result {
    let end = Date.now.addingTimeInterval(60)
    var peakMemory: Int?
    while process.isRunning, Date.now < end {
      peakMemory = peakMemorySoFar ?? peakMemory
      try? await Task.sleep(for: .milliseconds(5))
    }
    if process.isRunning {
      Issue.record("The tool did not end; it said: \(errors)")
      kill(process.processIdentifier, SIGKILL)
    }
    process.waitUntilExit()
    let code = process.terminationReason == .exit ? process.terminationStatus : -1
    if code >= 0 { expectNothingLeft() }
    return Result(
      code: code, output: text("output"), errors: errors, peakMemory: peakMemory)
  }

  /// The greatest resident set so far, as Linux tells it.
  private var peakMemorySoFar: Int? {
    let path = "/proc/\(process.processIdentifier)/status"
    let status = try? String(contentsOfFile: path, encoding: .utf8)
    return status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
      .flatMap { $0.split(separator: " ").compactMap { Int($0) }.first }.map { $0 / 1024 }
  }

  /// Checks that a plan's copies are removed.
  private func expectNothingLeft() {
    let names = try? FileManager.default.contentsOfDirectory(atPath: streams.path)
    #expect((names ?? []).filter { $0.hasPrefix("ferry-") } == [])
  }

  private func text(_ name: String) -> String {
    (try? String(contentsOf: streams.url.appending(path: name), encoding: .utf8)) ?? ""
  }
}
