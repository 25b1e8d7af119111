// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// The tool `ferry`, run under strace, which kills it or lets its system calls fail.
struct TracedTool {
  let tool: URL
  private let tracer = URL(filePath: "/usr/bin/strace")

  /// Whether strace is installed and may trace; some containers forbid tracing.
  var canTrace: Bool {
    let end = try? ProgramRun.end(of: tracer, ["-qq", "-o", "/dev/null", "/bin/true"])
    return end == .exit(0)
  }

  /// Runs `ferry sync` in a folder.
  func sync(in folder: URL) throws -> ProgramRun.End {
    try ProgramRun.end(of: tool, ["sync"], in: folder)
  }

  /// Runs `ferry sync` in a folder, and interferes with it.
  ///
  /// strace counts the calls of each thread by themselves, from 1 on.
  func sync(
    in folder: URL, _ interference: Interference, atCall place: Int
  ) throws -> ProgramRun.End {
    let (calls, effect) = (interference.calls, interference.effect)
    let arguments =
      ["-f", "-qq", "-o", "/dev/null", "-e", "trace=\(calls)"]
      + interference.files.flatMap { ["-P", $0] }
      + ["-e", "inject=\(calls):\(effect):when=\(place)\(interference.suffix)"]
    return try ProgramRun.end(of: tracer, arguments + [tool.path, "sync"], in: folder)
  }
}
