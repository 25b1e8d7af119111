// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// A program, run to its end without input and output.
enum ProgramRun {
  /// The end of the program.
  enum End: Equatable {
    case exit(Int32)
    case signal(Int32)
  }

  static func end(
    of program: URL, _ arguments: [String], in folder: URL? = nil
  ) throws -> End {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    if let folder { process.currentDirectoryURL = folder }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationReason == .exit
      ? .exit(process.terminationStatus) : .signal(process.terminationStatus)
  }
}
