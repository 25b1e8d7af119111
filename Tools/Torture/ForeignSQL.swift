// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import LoopbackParse

/// SQL of other programs, between syncs and in the middle of them.
///
/// No other client writes. So a sync must leave every value of the app as the last statement left it, and the
/// server must hold the same rows.
struct ForeignSQL {
  /// Parts of messages that never may appear.
  private static let alarms = [
    "malformed", "corrupt", "no such function", "no such table: main.ferry",
  ]

  let place: Workplace
  private(set) var tally = Tally()
  private var statements: ForeignStatements

  init(_ place: Workplace, seed: Int) {
    self.place = place
    statements = ForeignStatements(seed: seed)
  }

  /// Fills both sides, and makes the objects of the app's own.
  func begin() async throws {
    try place.server.withBackend { backend throws(LoopbackError) in
      let team = try backend.create("Team", ["title": "home", "points": 0])
      for number in 1...60 {
        _ = try backend.create(
          "Game",
          ["title": .string("s\(number)"), "score": 1, "note": "n", "home": .pointer("Team", team)])
      }
    }
    if let left = try await place.settle() { throw Trial.Fault(left) }
    let outcome = try place.startShell(ForeignStatements.installation).outcome()
    guard outcome.end == .exit(0) else { throw Trial.Fault(outcome.errors) }
  }

  /// Runs pieces of work while the tool syncs, and compares in the end.
  mutating func play(round: Int) async throws {
    tally.rounds += 1
    var sync = try place.start(["sync"])
    for work in statements.works(statements.chance.number(2...6)) {
      let outcome = try place.startShell(work.sql, stopsAtErrors: false).outcome()
      judge(work, outcome, round)
      if !sync.isRunning {
        judge(sync.outcome(), round)
        sync = try place.start(["sync"])
      }
    }
    judge(sync.outcome(), round)
    try await judgeEnd(round)
  }

  private mutating func judge(_ outcome: RunningProgram.Outcome, _ round: Int) {
    tally.count("syncs")
    // Mass deletes are held back, because nobody confirms them before the end.
    if outcome.end == .exit(25) { return }
    if let fault = ToolRule.fault(of: "sync", outcome) { tally.fall("round \(round): \(fault)") }
  }

  private mutating func judge(
    _ work: ForeignStatements.Work, _ outcome: RunningProgram.Outcome, _ round: Int
  ) {
    tally.count(work.name)
    let isLocked = outcome.errors.contains("locked") && !work.needsAll
    if isLocked || outcome.end == nil || Self.alarms.contains(where: outcome.errors.contains) {
      tally.fall("round \(round), \(work.name): \(outcome.errors)")
    }
    if work.name == "refused", outcome.errors.isEmpty {
      tally.count("refused works that found no row")
    } else if !outcome.errors.isEmpty, work.name != "refused" {
      tally.count("works with an error")
    }
  }

  private mutating func judgeEnd(_ round: Int) async throws {
    let written = (try place.localRows(), try teams())
    do {
      if let left = try await place.settle() { tally.fall("round \(round): \(left)") }
    } catch {
      return tally.fall("round \(round): the quiet sync failed: \(error)")
    }
    let (local, remote) = (try place.localRows(), place.remoteRows())
    if local != written.0 {
      tally.fall("round \(round), changed by a sync: \(written.0.changes(to: local))")
    }
    if local != remote { tally.fall("round \(round), remote: \(local.changes(to: remote))") }
    if try teams() != written.1 || remoteTeams() != written.1 {
      tally.fall(
        "round \(round), teams: \(written.1), local \(try teams()), remote \(remoteTeams())")
    }
    if let fault = try place.integrityFault() { tally.fall("round \(round): \(fault)") }
    guard round.isMultiple(of: 5) else { return }
    let verification = try place.start(["verify"]).outcome()
    if verification.end != .exit(0) {
      tally.fall("round \(round), verify: \(verification.output)\(verification.errors)")
    }
  }

  private func teams() throws -> [String] {
    try place.query("SELECT title || '|' || ifnull(points, '') FROM Team").map { $0.joined() }
      .sorted()
  }

  private func remoteTeams() -> [String] {
    place.server.backend.objects(of: "Team").map {
      "\($0["title"]?.string ?? "")|\($0["points"]?.number.map { "\($0)" } ?? "")"
    }.sorted()
  }
}
