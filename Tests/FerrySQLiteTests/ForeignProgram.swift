// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import Testing

/// Another process that writes to the database: the `sqlite3` shell.
struct ForeignProgram {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  var path: String

  /// Runs statements one after another, and returns the rows of all of them.
  func run(_ statements: [String]) throws -> [[String]] {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/sqlite3")
    process.arguments = ["-batch", "-bail", "-ascii", path]
    let input = Pipe()
    let output = Pipe()
    let errors = Pipe()
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let text = ".timeout 5000\n" + statements.map { "\($0);\n" }.joined()
    try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    try input.fileHandleForWriting.close()
    let result = try output.fileHandleForReading.readToEnd() ?? Data()
    let message = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0, message.isEmpty else {
      throw Failure(description: String(decoding: message, as: UTF8.self))
    }
    return String(decoding: result, as: UTF8.self).split(separator: "\u{1E}").map { row in
      row.split(separator: "\u{1F}", omittingEmptySubsequences: false).map(String.init)
    }
  }
}
