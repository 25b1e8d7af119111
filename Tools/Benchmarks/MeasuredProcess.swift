// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// Runs programs, and tells their cost as the system counts it.
enum MeasuredProcess {
  static let thisProgram = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
  /// The limit program stands beside this one, and measures others too.
  static let limitProgram = thisProgram.deletingLastPathComponent().appending(path: "ferry-limit")

  /// Runs a program to its end.
  static func run(_ program: URL, _ arguments: [String]) throws -> Measurement {
    let path = program.path(percentEncoded: false)
    let process = Process()
    let output = Pipe()
    process.executableURL = limitProgram
    process.arguments = ["measure", path] + arguments
    process.standardOutput = output
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

  private struct Failure: Error, CustomStringConvertible {
    var program: String
    var sentence: String
    var description: String { "\(program) \(sentence)." }
  }
}
