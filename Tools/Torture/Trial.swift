// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// Runs the tool with one interference after another.
///
/// After each run, both sides must reach the same end.
struct Trial {
  /// The numbers of a trial.
  struct Result {
    var runs = 0
    /// The runs that the interference ended.
    var hit = 0
    var failures: [String] = []
  }

  let folder: WorkingFolder
  let tool: TracedTool
  /// The state of both sides after a sync without interference.
  private let expected: WorkingFolder.State

  init(_ folder: WorkingFolder, _ tool: TracedTool) async throws {
    self.folder = folder
    self.tool = tool
    try folder.restore()
    let end = try tool.sync(in: folder.url)
    guard end == .exit(0) else {
      throw Fault("The tool ends with \(end) without any interference.")
    }
    expected = try await folder.recover()
    guard expected.local == expected.remote else {
      throw Fault("Both sides differ without any interference: \(expected)")
    }
  }

  /// Interferes at each `step`th call, up to the first run in which the call never comes.
  func run(_ kind: Interference, step: Int) async throws -> Result {
    var result = Result()
    var place = Int.random(in: 1...step)
    var misses = 0
    // A thread more or less makes a count differ from run to run, so one miss is not the end.
    while misses < 3 {
      try folder.restore()
      let end = try tool.sync(in: folder.url, kind, atCall: place)
      result.runs += 1
      if end == .exit(0) { misses += 1 } else { (misses, result.hit) = (0, result.hit + 1) }
      if let failure = try await judge(end) {
        result.failures.append("\(kind.name) at call \(place): \(failure)")
      }
      place += step
    }
    return result
  }

  /// Runs the tool with ever more room on its disk, until it succeeds.
  func run(on disk: FullDisk, step: Int) async throws -> Result {
    var result = Result()
    var room = 0
    var end: ProgramRun.End?
    while end != .exit(0), room < 4_000_000 {
      try folder.restore()
      try disk.leaveRoom(room)
      end = try tool.sync(in: folder.url)
      try disk.enlarge()
      result.runs += 1
      if end != .exit(0) { result.hit += 1 }
      if let end, let failure = try await judge(end) {
        result.failures.append("a disk with room for \(room) bytes: \(failure)")
      }
      room += 4096 * step
    }
    return result
  }

  /// Says what is wrong after a run; nil where all is well.
  func judge(_ end: ProgramRun.End) async throws -> String? {
    switch end {
    case .exit(70): return "the tool ended with an internal error"
    case .signal(let signal) where signal != SIGKILL: return "the tool ended by signal \(signal)"
    default: break
    }
    do {
      let state = try await folder.recover()
      guard state == expected else { return "the end differs: \(state)" }
      return nil
    } catch {
      return "the next sync failed: \(error)"
    }
  }

  struct Fault: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
  }
}
