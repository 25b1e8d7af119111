// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// A program that runs beside others.
///
/// Its input and its output are files, so that any amount of them cannot stop it.
final class RunningProgram {
  struct Outcome {
    /// The end; nil if the program hung and was killed for it.
    var end: ProgramRun.End?
    var output: String
    var errors: String
  }

  private let process = Process()
  private let streams: URL

  init(_ program: URL, _ arguments: [String], in folder: URL, input: String = "") throws {
    streams = FileManager.default.temporaryDirectory.appending(path: "ferry-torture-io-\(UUID())")
    try FileManager.default.createDirectory(at: streams, withIntermediateDirectories: true)
    try Data(input.utf8).write(to: streams.appending(path: "input"))
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.standardInput = try FileHandle(forReadingFrom: streams.appending(path: "input"))
    process.standardOutput = try file("output")
    process.standardError = try file("errors")
    try process.run()
  }

  deinit {
    kill()
    try? FileManager.default.removeItem(at: streams)
  }

  var isRunning: Bool { process.isRunning }

  /// Kills it with SIGKILL; does nothing to a program that has ended.
  func kill() {
    if process.isRunning { _ = Foundation.kill(process.processIdentifier, SIGKILL) }
  }

  /// Waits for the end; kills a program that takes longer.
  func outcome(within seconds: Double = 60) -> Outcome {
    let limit = Date.now.addingTimeInterval(seconds)
    while process.isRunning, Date.now < limit { Thread.sleep(forTimeInterval: 0.002) }
    let hangs = process.isRunning
    kill()
    process.waitUntilExit()
    let end: ProgramRun.End =
      process.terminationReason == .exit
      ? .exit(process.terminationStatus) : .signal(process.terminationStatus)
    return Outcome(end: hangs ? nil : end, output: text("output"), errors: text("errors"))
  }

  private func file(_ name: String) throws -> FileHandle {
    let url = streams.appending(path: name)
    try Data().write(to: url)
    return try FileHandle(forWritingTo: url)
  }

  private func text(_ name: String) -> String {
    let data = try? Data(contentsOf: streams.appending(path: name))
    return String(decoding: data ?? Data(), as: UTF8.self)
  }
}
