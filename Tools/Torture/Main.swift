// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// `ferry-torture`: kills the tool `ferry`, or lets its disk fail, at one system call after another.
@main enum Main {
  static func main() async {
    do {
      let arguments = CommandLine.arguments.dropFirst()
      guard arguments.count <= 1, let step = Int(arguments.first ?? "1"), step > 0 else {
        FileHandle.standardError.write(
          Data(
            "usage: ferry-torture [N]: interferes at one of N system calls, by default all\n".utf8))
        exit(64)
      }
      exit(try await torture(step: step) ? 0 : 1)
    } catch {
      FileHandle.standardError.write(Data("ferry-torture: \(error)\n".utf8))
      exit(70)
    }
  }

  /// Writes a line at once, also into a file.
  private static func say(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }

  private static func torture(step: Int) async throws -> Bool {
    let root = FileManager.default.temporaryDirectory.appending(path: "ferry-torture-\(UUID())")
    defer { try? FileManager.default.removeItem(at: root) }
    let folder = try await WorkingFolder(
      at: root.appending(path: "work"), keptAt: root.appending(path: "kept"))
    let tool = TracedTool(
      tool: URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "ferry").standardizedFileURL)
    let trial = try await Trial(folder, tool)
    var isGood = true
    if let disk = try FullDisk(on: folder.url) {
      defer { disk.unmount() }
      let start = ContinuousClock.now
      let result = try await trial.run(on: disk, step: step)
      isGood = report("a full disk", result, since: start)
    } else {
      say("A full disk was not tried, because only root may mount one.")
    }
    guard tool.canTrace else {
      say("System calls were not tried, because strace is missing or may not trace.")
      return isGood
    }
    for kind in Interference.all(in: folder.url) {
      let start = ContinuousClock.now
      let result = try await trial.run(kind, step: kind.isFrequent ? step * 8 : step)
      isGood = report(kind.name, result, since: start) && isGood
    }
    return isGood
  }

  /// Prints a line of the table, and each failure; true where there is none.
  private static func report(
    _ name: String, _ result: Trial.Result, since start: ContinuousClock.Instant
  ) -> Bool {
    let seconds = Int((ContinuousClock.now - start) / .seconds(1))
    say(
      "| \(name) | \(result.runs) | \(result.ended) | \(result.survived) | "
        + "\(result.failures.count) | \(seconds) s |")
    for failure in result.failures { say("FELL \(failure)") }
    return result.failures.isEmpty
  }
}
