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
    var ended = 0
    /// The runs that succeeded although the interference happened.
    var survived = 0
    var failures: [String] = []

    mutating func count(_ end: ProgramRun.End, isHit: Bool) {
      runs += 1
      if end != .exit(0) { ended += 1 } else if isHit { survived += 1 }
    }
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

  /// Interferes at each `step`th call, until the call does not come any more.
  func run(_ kind: Interference, step: Int) async throws -> Result {
    var result = Result()
    var place = Int.random(in: 1...step)
    var misses = 0
    // A thread more or less makes a count differ from run to run, so one miss is not the end.
    while misses < 3 {
      try folder.restore()
      let (end, isHit) = try tool.sync(in: folder.url, kind, atCall: place)
      misses = isHit ? 0 : misses + 1
      result.count(end, isHit: isHit)
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
      if let end {
        result.count(end, isHit: end != .exit(0))
        if let failure = try await judge(end) {
          result.failures.append("a disk with room for \(room) bytes: \(failure)")
        }
      }
      room += 4096 * step
    }
    if let end, end != .exit(0) {
      result.failures.append("a disk with room for \(room) bytes is still too small: \(end)")
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
