// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation
import LoopbackParse

/// A program that writes one row after another, without a pause, while a sync imports.
struct WriterWithoutPause {
  /// The program that writes, and that which syncs.
  enum Scene: String, CaseIterable {
    case shell = "the sqlite3 shell writes, ferry syncs"
    case app = "an app writes, ferry syncs"
    case syncingApp = "an app writes and syncs"
  }

  /// The sync must end within this time, however busy the writer is.
  private static let patience = 120.0

  let place: Workplace
  let records: Int
  private(set) var tally = Tally()

  init(_ place: Workplace, records: Int) {
    self.place = place
    self.records = records
  }

  mutating func play(_ scene: Scene) async throws {
    tally.rounds += 1
    let start = ContinuousClock.now
    try fillServer()
    _ = try place.openStore()
    let (titles, longest) =
      switch scene {
      case .shell: try playShell()
      case .app: try await playApp(Self.syncByTool)
      case .syncingApp: try await playApp(Self.sync)
      }
    let seconds = Double((ContinuousClock.now - start) / .milliseconds(1)) / 1000
    tally.count("writes", by: titles)
    tally.count("longest wait in ms", by: longest)
    tally.count("seconds of the sync", by: Int(seconds.rounded(.up)))
    if longest > 5000 { tally.fall("a write waited \(longest) ms") }
    try await judge(writes: titles)
  }

  private func fillServer() throws {
    try place.server.withBackend { [records] backend throws(LoopbackError) in
      for number in 1...records {
        _ = try backend.create("Game", ["title": .string("s\(number)"), "score": 1])
      }
    }
  }

  // MARK: The shell

  /// - Returns: How many rows the shell wrote, and the longest time of a statement in milliseconds.
  private mutating func playShell() throws -> (Int, Int) {
    let inserts = (1...500_000).map { "INSERT INTO Game (title, score) VALUES ('w\($0)', 2);" }
    let shell = try place.startShell(".timer on\n" + inserts.joined(separator: "\n"))
    judge(try place.start(["sync"]).outcome(within: Self.patience))
    if !shell.isRunning { tally.fall("the shell ended before the sync") }
    shell.kill()
    let outcome = shell.outcome()
    if !outcome.errors.isEmpty { tally.fall("a write of sqlite3 failed: \(outcome.errors)") }
    // The last line may be cut. "Run Time: real 0.002 user 0.000 sys 0.001"
    let times = outcome.output.split(separator: "\n").compactMap { line in
      line.split(separator: " ").dropFirst(3).first.flatMap { Double($0) }
    }
    let rows = try place.query("SELECT count(*) FROM Game WHERE title GLOB 'w*'")
    return (rows.first?.first.flatMap { Int($0) } ?? 0, Int((times.max() ?? 0) * 1000))
  }

  // MARK: The app

  private mutating func playApp(
    _ sync: (Workplace, SQLiteStore) async throws -> RunningProgram.Outcome?
  ) async throws -> (Int, Int) {
    let store = try place.openStore()
    let writer = BusyWriter(store)
    writer.begin()
    let outcome = try await sync(place, store)
    let result = writer.end()
    if let outcome { judge(outcome) }
    if let failure = result.failure { tally.fall("a write of the app failed: \(failure)") }
    return (result.count, result.longest)
  }

  private static func syncByTool(
    _ place: Workplace, _ store: SQLiteStore
  ) async throws -> RunningProgram.Outcome? {
    try place.start(["sync"]).outcome(within: patience)
  }

  private static func sync(
    _ place: Workplace, _ store: SQLiteStore
  ) async throws -> RunningProgram.Outcome? {
    _ = try await place.coordinator(store).startSync().report
    return nil
  }

  // MARK: Judgement

  private mutating func judge(_ outcome: RunningProgram.Outcome) {
    if let fault = ToolRule.fault(of: "sync", outcome) {
      tally.fall(fault)
    } else if outcome.end == .exit(75) {
      tally.fall("ferry sync gave up: \(outcome.errors)")
    }
  }

  private mutating func judge(writes: Int) async throws {
    if writes < 20 { tally.fall("the app could write only \(writes) rows") }
    if let left = try await place.settle() { tally.fall(left) }
    let (local, remote) = (try place.localRows(), place.remoteRows())
    if local != remote { tally.fall("the sides differ: \(local.changes(to: remote))") }
    let titles = Set(remote.map(\.title))
    if titles.count != remote.count || remote.count != records + writes {
      tally.fall(
        "\(remote.count) records with \(titles.count) titles; \(records) + \(writes) expected")
    }
    if let fault = try place.integrityFault() { tally.fall(fault) }
  }
}
