// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// The tool `ferry`, run under strace, which kills it or lets its system calls fail.
struct TracedTool {
  let tool: URL
  private let tracer = URL(filePath: "/usr/bin/strace")

  /// Whether strace is installed and works.
  ///
  /// Some containers forbid it.
  var canTrace: Bool {
    let end = try? ProgramRun.end(of: tracer, ["-qq", "-o", "/dev/null", "/bin/true"])
    return end == .exit(0)
  }

  /// Runs `ferry sync` in a folder.
  func sync(in folder: URL) throws -> ProgramRun.End {
    try ProgramRun.end(of: tool, ["sync"], in: folder)
  }

  /// The number of calls of the thread with the most, in a sync without interference.
  func count(_ kind: Interference, in folder: URL) throws -> Int {
    let trace = folder.deletingLastPathComponent().appending(path: "trace")
    _ = try ProgramRun.end(
      of: tracer,
      ["-f", "-qq", "-o", trace.path, "-e", "trace=\(kind.calls)", "-e", "signal=none"]
        + [tool.path, "sync"], in: folder)
    let lines = try String(decoding: Data(contentsOf: trace), as: UTF8.self).split(separator: "\n")
    let counts = lines.reduce(into: [Substring: Int]()) { counts, line in
      guard !line.contains(" resumed>"), let thread = line.split(separator: " ").first else {
        return
      }
      counts[thread, default: 0] += 1
    }
    return counts.values.max() ?? 0
  }

  /// Runs `ferry sync` in a folder, and interferes with it.
  ///
  /// strace counts the calls of each thread by themselves, from 1 on.
  ///
  /// - Returns: How the tool ended, and whether it made such a call at all.
  func sync(
    in folder: URL, _ interference: Interference, atCall place: Int
  ) throws -> (end: ProgramRun.End, isHit: Bool) {
    let (calls, effect) = (interference.calls, interference.effect)
    let trace = folder.deletingLastPathComponent().appending(path: "trace")
    let arguments =
      ["-f", "-qq", "-o", trace.path, "-e", "trace=\(calls)"]
      + interference.files.flatMap { ["-P", $0] }
      + ["-e", "inject=\(calls):\(effect):when=\(place)\(interference.suffix)"]
    let end = try ProgramRun.end(of: tracer, arguments + [tool.path, "sync"], in: folder)
    // A killed process has no line for its last call.
    if case .signal = end { return (end, true) }
    let lines = try String(decoding: Data(contentsOf: trace), as: UTF8.self)
    return (end, lines.contains("(INJECTED)"))
  }
}
