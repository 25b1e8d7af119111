// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// Runs programs, and tells their cost as the system counts it.
enum MeasuredProcess {
  static let thisProgram = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
  /// The limit program stands beside this one, and measures others too.
  static let limitProgram = thisProgram.deletingLastPathComponent().appending(path: "ferry-limit")

  /// Runs a program to its end, in a folder or in this program's own.
  static func run(
    _ program: URL, _ arguments: [String], in folder: URL? = nil
  ) throws -> Measurement {
    let path = program.path(percentEncoded: false)
    let process = Process()
    let output = Pipe()
    process.executableURL = limitProgram
    process.arguments = ["measure"] + profiler(of: path) + [path] + arguments
    process.standardOutput = output
    process.currentDirectoryURL = folder ?? process.currentDirectoryURL
    do {
      try process.run()
    } catch {
      throw Failure(program: path, sentence: "cannot be started; build ferry-limit in the same way")
    }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let figures = String(decoding: data, as: UTF8.self)
      .split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    guard process.terminationStatus == 0, figures.count == 3 else {
      throw Failure(program: path, sentence: "failed")
    }
    return Measurement(
      wallSeconds: figures[0], processorSeconds: figures[1], peakMemory: Int(figures[2]) * 1024)
  }

  /// The command that notes where Ferry's time goes, if `FERRY_BENCH_PROFILE` names a file for it.
  private static func profiler(of path: String) -> [String] {
    guard path == thisProgram.path(percentEncoded: false),
      let file = ProcessInfo.processInfo.environment["FERRY_BENCH_PROFILE"]
    else { return [] }
    return ["perf", "record", "-q", "-F", "1999", "--call-graph", "dwarf,16384", "-o", file, "--"]
  }

  private struct Failure: Error, CustomStringConvertible {
    var program: String
    var sentence: String
    var description: String { "\(program) \(sentence)." }
  }
}
