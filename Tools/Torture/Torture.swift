// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// One run of `ferry-torture`: plays a kind of trouble, and prints a line for each part of it.
struct Torture {
  let root: URL
  /// How often to play; nil for the default of the kind.
  let number: Int?
  let seed: Int
  private(set) var isGood = true
  private let program = URL(filePath: CommandLine.arguments[0]).standardizedFileURL
  private var tool: URL {
    program.deletingLastPathComponent().appending(path: "ferry").standardizedFileURL
  }

  init(root: URL, number: Int?, seed: Int?) {
    self.root = root
    self.number = number
    self.seed = seed ?? Int.random(in: 1...1_000_000_000)
  }

  mutating func run(_ command: String) async throws {
    switch command {
    case "calls": try await playCalls()
    case "processes": try await playProcesses()
    case "writer": try await playWriter()
    case "sql": try await playSQL()
    case "damage": try playDamage()
    default: throw Main.Usage()
    }
  }

  // MARK: Kinds

  private mutating func playCalls() async throws {
    let step = number ?? 1
    let folder = try await folder(with: .day)
    let tool = TracedTool(tool: tool)
    let trial = try await Trial(folder, tool)
    if let disk = try FullDisk(on: folder.url) {
      defer { disk.unmount() }
      let start = ContinuousClock.now
      report("a full disk", try await trial.run(on: disk, step: step), since: start)
    } else {
      say("A full disk was not tried, because only root may mount one.")
    }
    guard tool.canTrace else {
      return say("System calls were not tried, because strace is missing or may not trace.")
    }
    for kind in Interference.all(in: folder.url) {
      let start = ContinuousClock.now
      let result = try await trial.run(kind, step: kind.isFrequent ? step * 8 : step)
      report(kind.name, result, since: start)
    }
    let others = PreparedWork.allCases.filter { $0 != .day }
    // A sample plays one of the others.
    for work in step == 1 ? others : others.randomElement().map({ [$0] }) ?? [] {
      try await playKills(work, tool, step)
    }
  }

  private mutating func playKills(
    _ work: PreparedWork, _ tool: TracedTool, _ step: Int
  ) async throws {
    let folder = try await folder(with: work)
    if work == .recovery { try killOnce(in: folder, tool) }
    let trial = try await Trial(folder, tool)
    for kind in Interference.kills {
      let start = ContinuousClock.now
      try folder.restore()
      let count = try tool.count(kind, in: folder.url)
      let result = try await trial.run(kind, step: kind.isFrequent ? step * 8 : step)
      report("\(work.rawValue): \(kind.name), of \(count) calls", result, since: start)
    }
  }

  private func folder(with work: PreparedWork) async throws -> WorkingFolder {
    try await WorkingFolder(
      work, at: root.appending(path: "work-\(work)"), keptAt: root.appending(path: "kept-\(work)"))
  }

  /// Kills a sync while it sends; the state after it is the beginning.
  private func killOnce(in folder: WorkingFolder, _ tool: TracedTool) throws {
    try folder.restore()
    let kill = Interference(name: "killed", calls: "recvfrom", effect: "signal=KILL")
    _ = try tool.sync(in: folder.url, kill, atCall: 8)
    try folder.keep()
  }

  private mutating func playProcesses() async throws {
    let start = ContinuousClock.now
    let rounds = number ?? 100
    for (index, allowsChosenIDs) in [false, true].enumerated() {
      var play = EightProcesses(
        try Workplace(
          at: root.appending(path: "processes-\(index)"), tool: tool,
          allowsChosenIDs: allowsChosenIDs), seed: seed + index)
      try await play.begin()
      for round in 1...max(rounds / 2, 1) where play.tally.failures.isEmpty {
        try await play.play(round: round)
      }
      let ids = allowsChosenIDs ? "ids of the device" : "ids of the server"
      report("eight processes on one store, \(ids), seed \(seed)", play.tally, since: start)
    }
  }

  private mutating func playWriter() async throws {
    for (index, scene) in WriterWithoutPause.Scene.allCases.enumerated() {
      let start = ContinuousClock.now
      var play = WriterWithoutPause(
        try Workplace(
          at: root.appending(path: "writer-\(index)"), tool: tool, allowsChosenIDs: false),
        records: number ?? 5000)
      try await play.play(scene)
      report(scene.rawValue, play.tally, since: start)
    }
  }

  private mutating func playSQL() async throws {
    let start = ContinuousClock.now
    let rounds = number ?? 100
    // A new store for each twenty rounds, so that failures stay small and stores differ.
    for first in stride(from: 1, through: rounds, by: 20) {
      var play = ForeignSQL(
        try Workplace(
          at: root.appending(path: "sql-\(first)"), tool: tool,
          allowsChosenIDs: first % 40 == 1), seed: seed + first)
      try await play.begin()
      for round in first...min(first + 19, rounds) where play.tally.failures.isEmpty {
        try await play.play(round: round)
      }
      report("SQL of other programs, seed \(seed)", play.tally, since: start)
    }
  }

  private mutating func playDamage() throws {
    let start = ContinuousClock.now
    var play = DamagedCopies(program: program, in: root)
    try play.play(copies: number ?? 2000, seed: seed)
    for damage in Damage.allCases {
      guard let tally = play.tallies[damage] else { continue }
      report(damage.rawValue, tally, since: start)
    }
    say("The copies have the seeds from \(seed) on.")
  }

  // MARK: Reports

  /// Writes a line at once, also into a file.
  private func say(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }

  private mutating func report(
    _ name: String, _ tally: Tally, since start: ContinuousClock.Instant
  ) {
    report(name, ["\(tally.rounds)", tally.text], tally.failures, since: start)
  }

  private mutating func report(
    _ name: String, _ result: Trial.Result, since start: ContinuousClock.Instant
  ) {
    let seen = "ended \(result.ended), survived \(result.survived)"
    report(name, ["\(result.runs)", seen], result.failures, since: start)
  }

  /// Prints a line of the table, and each failure.
  private mutating func report(
    _ name: String, _ cells: [String], _ failures: [String], since start: ContinuousClock.Instant
  ) {
    let seconds = Int((ContinuousClock.now - start) / .seconds(1))
    let all = [name] + cells + ["\(failures.count)", "\(seconds) s"]
    say("| " + all.joined(separator: " | ") + " |")
    for failure in failures { say("FELL \(failure)") }
    if !failures.isEmpty { isGood = false }
  }
}
