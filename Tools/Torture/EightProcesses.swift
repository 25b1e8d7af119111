// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import LoopbackParse

/// Eight processes that work on one store at once, round after round.
///
/// After each round, the rows that the `sqlite3` shell and the other client wrote must be on both sides, once
/// and with their last values.
struct EightProcesses {
  private static let commands = [
    ["sync", "--max-delete", "100%"], ["sync", "--json", "--max-delete", "100%"], ["status"],
    ["outbox"], ["plan"], ["verify"],
  ]
  private static let killed = "killed sync"
  private static let shell = "sqlite3"

  let place: Workplace
  private(set) var tally = Tally()
  private var chance: Chance
  /// The scores that must be there in the end, by title.
  private var shellScores: [String: Int] = [:]
  private var clientScores: [String: Int] = [:]

  init(_ place: Workplace, seed: Int) {
    self.place = place
    chance = Chance(seed: seed)
  }

  /// Makes the store: the shell needs its tables.
  func begin() async throws {
    if let left = try await place.settle() { throw Trial.Fault(left) }
  }

  /// Plays one round; a failure ends the rounds on this store.
  mutating func play(round: Int) async throws {
    tally.rounds += 1
    try editRemotely(round)
    var running: [(name: String, program: RunningProgram)] = []
    let names = (Self.commands.map { $0[0] } + [Self.killed, Self.shell]).enumerated().shuffled(
      using: &chance)
    let statements = editLocally(round)
    for (index, name) in names {
      running.append((name, try start(name, index, statements)))
    }
    try await Task.sleep(for: .milliseconds(chance.number(0...900)))
    for process in running where process.name == Self.killed { process.program.kill() }
    for (name, program) in running { judge(name, program.outcome()) }
    try await judgeEnd(round)
  }

  private func start(_ name: String, _ index: Int, _ statements: String) throws -> RunningProgram {
    switch name {
    case Self.shell: try place.startShell(statements)
    case Self.killed: try place.start(Self.commands[0])
    default: try place.start(Self.commands[index])
    }
  }

  // MARK: Edits

  /// Statements for the shell; what they write is expected from now on.
  private mutating func editLocally(_ round: Int) -> String {
    var statements: [String] = []
    for number in 1...chance.number(2...6) {
      let (title, score) = ("r\(round)-\(number)", chance.number(0...999))
      statements.append("INSERT INTO Game (title, score) VALUES ('\(title)', \(score));")
      shellScores[title] = score
    }
    for _ in 1...4 {
      guard let title = shellScores.keys.sorted().randomElement(using: &chance) else { continue }
      let score = chance.number(0...999)
      statements.append("UPDATE Game SET score = \(score) WHERE title = '\(title)';")
      shellScores[title] = score
    }
    for _ in 1...chance.number(1...4) {
      guard shellScores.count > 10,
        let title = shellScores.keys.sorted().randomElement(using: &chance)
      else { continue }
      statements.append("DELETE FROM Game WHERE title = '\(title)';")
      shellScores[title] = nil
    }
    return statements.joined(separator: "\n")
  }

  /// Edits of another client, of rows that the shell leaves alone.
  private mutating func editRemotely(_ round: Int) throws {
    let (title, score) = ("c\(round)", chance.number(0...999))
    let edited = clientScores.keys.sorted().randomElement(using: &chance)
    let newScore = chance.number(0...999)
    let isDelete = chance.oneIn(3)
    try place.server.withBackend { backend throws(LoopbackError) in
      _ = try backend.create("Game", ["title": .string(title), "score": .number(Double(score))])
      for game in backend.objects(of: "Game") where game["title"]?.string == edited {
        guard edited != nil, let id = game["objectId"]?.string else { continue }
        if isDelete {
          try backend.delete("Game", id)
        } else {
          try backend.update("Game", id, ["score": .number(Double(newScore))])
        }
      }
    }
    clientScores[title] = score
    if let edited { clientScores[edited] = isDelete ? nil : newScore }
  }

  // MARK: Judgement

  private mutating func judge(_ name: String, _ outcome: RunningProgram.Outcome) {
    switch (name, outcome.end) {
    case (Self.killed, .signal(SIGKILL)): tally.count("syncs killed")
    case (Self.killed, _): judge("sync", outcome)
    case (Self.shell, .exit(0)) where outcome.errors.isEmpty: tally.count("shells")
    case (Self.shell, _): tally.fall("sqlite3 failed: \(outcome.errors)")
    default:
      tally.count("\(name) \(ToolRule.name(of: outcome.end))")
      if let fault = ToolRule.fault(of: name, outcome) { tally.fall(fault) }
    }
  }

  private mutating func judgeEnd(_ round: Int) async throws {
    do {
      if let left = try await place.settle() { tally.fall("round \(round): \(left)") }
    } catch {
      return tally.fall("round \(round): the quiet sync failed: \(error)")
    }
    let expected = shellScores.merging(clientScores) { $1 }.map { title, score in
      Workplace.Row(title: title, score: "\(Double(score))", note: "", home: "")
    }.sorted()
    let (local, remote) = (try place.localRows(), place.remoteRows())
    if local != expected { tally.fall("round \(round), local: \(expected.changes(to: local))") }
    if remote != expected { tally.fall("round \(round), remote: \(expected.changes(to: remote))") }
    if let fault = try place.integrityFault() { tally.fall("round \(round): \(fault)") }
  }
}

extension [Workplace.Row] {
  /// The rows that other rows lack or have beyond these.
  func changes(to others: [Workplace.Row]) -> String {
    let difference = others.difference(from: self)
    let gone = difference.removals.compactMap { change -> String? in
      if case .remove(_, let row, _) = change { "-\(row)" } else { nil }
    }
    let new = difference.insertions.compactMap { change -> String? in
      if case .insert(_, let row, _) = change { "+\(row)" } else { nil }
    }
    return (gone + new).prefix(12).joined(separator: " ")
  }
}
