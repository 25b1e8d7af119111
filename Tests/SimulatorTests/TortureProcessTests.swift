// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryTestSupport
import Foundation
import Testing

/// `ferry-torture` as a process.
@Suite(.timeLimit(.minutes(2))) struct TortureProcessTests {
  private static let program = BuiltProgram.file("ferry-torture")

  private func run(_ arguments: [String]) throws -> (code: Int32, output: String, errors: String) {
    let process = Process()
    let (output, errors) = (Pipe(), Pipe())
    process.executableURL = Self.program
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let texts = try [output, errors].map {
      String(decoding: try $0.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    }
    process.waitUntilExit()
    return (process.terminationStatus, texts[0], texts[1])
  }

  @Test(arguments: ["", "unknown", "damage 0", "damage x", "sql 1 -3", "processes 1 2 3"])
  func `arguments that it does not know are refused with the usage`(line: String) throws {
    let result = try run(line.split(separator: " ").map(String.init))
    #expect(result.code == 64)
    #expect(result.errors.hasPrefix("usage: ferry-torture "))
  }

  /// The bytes of a store differ each time, as do its ids.
  @Test func `a seed chooses the same damage each time`() throws {
    let lines = try (1...2).map { _ in
      try run(["damage", "6", "4711"]).output.split(separator: "\n").map {
        $0.split(separator: "|").prefix(2).joined(separator: "|")
      }
    }
    #expect(lines[0].count > 1)
    #expect(lines[0] == lines[1])
  }
}
