// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryTestSupport
import Foundation
import Testing

/// `ferry-simulate` as a process.
@Suite(.timeLimit(.minutes(2))) struct InjectionProcessTests {
  private static let program = BuiltProgram.file("ferry-simulate")

  @Test(arguments: [
    ("kills --day 7", "There is no day 7. The days are 0 to 1."),
    ("kills --day -1", "There is no day -1. The days are 0 to 1."),
    ("kills --world 99999999", "Day 0 has no world 99999999 of kills. Its worlds are 0 to "),
    (
      "kills --day 1 --world 99999999", "Day 1 has no world 99999999 of kills. Its worlds are 0 to "
    ),
    ("all --world 1", "--world needs one kind of failure: --inject KIND."),
  ])
  func `an injection that does not exist is refused with the range`(
    options: String, message: String
  ) throws {
    let process = Process()
    let errors = Pipe()
    process.executableURL = Self.program
    process.arguments = ["--inject"] + options.split(separator: " ").map(String.init)
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let text = String(
      decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 64)
    #expect(text.contains(message))
  }
}
