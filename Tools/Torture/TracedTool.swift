// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// The tool `ferry`, run under strace, which kills it or lets its system calls fail.
struct TracedTool {
  /// The interference with the tool.
  struct Injection {
    /// The system calls, as strace names them.
    var calls: String
    /// The effect at such a call, as strace writes it: `signal=KILL`, `error=EIO`.
    var effect: String
    /// The number of the call from 1 on, counted by thread; `3+` is the third and all after it.
    var place: String
    /// The files whose calls count; empty for all.
    var files: [String] = []
  }

  /// The end of the tool.
  enum End: Equatable {
    case exit(Int32)
    case signal(Int32)
  }

  let tool: URL
  private let tracer = URL(filePath: "/usr/bin/strace")

  /// Whether strace is there and may trace: some containers forbid it.
  var canTrace: Bool {
    let process = Process()
    process.executableURL = tracer
    process.arguments = ["-qq", "-o", "/dev/null", "/bin/true"]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  /// Runs `ferry sync` in a folder.
  func sync(in folder: URL, _ injection: Injection?) throws -> End {
    let process = Process()
    process.executableURL = injection == nil ? tool : tracer
    process.arguments = (injection.map { arguments($0) } ?? []) + ["sync"]
    process.currentDirectoryURL = folder
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationReason == .exit
      ? .exit(process.terminationStatus) : .signal(process.terminationStatus)
  }

  private func arguments(_ injection: Injection) -> [String] {
    ["-f", "-qq", "-o", "/dev/null", "-e", "trace=\(injection.calls)"]
      + injection.files.flatMap { ["-P", $0] }
      + ["-e", "inject=\(injection.calls):\(injection.effect):when=\(injection.place)"]
      + [tool.path]
  }
}
