// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// Plays damaged copies in child processes, a hundred in each, so that a crash or a hang is seen.
struct DamagedCopies {
  private static let copiesOfChild = 100
  /// How long a copy may take.
  private static let patience = 10.0

  let program: URL
  let root: URL
  private(set) var tallies: [Damage: Tally] = [:]

  init(program: URL, in root: URL) {
    self.program = program
    self.root = root
  }

  mutating func play(copies: Int, seed: Int) throws {
    var next = seed
    let end = seed + copies
    while next < end {
      let count = min(Self.copiesOfChild, end - next)
      let child = try RunningProgram(
        program, ["damaged-copies", "\(next)", "\(count)", root.path], in: root)
      let outcome = child.outcome(within: Double(count) * Self.patience + 60)
      let last = note(outcome.output)
      guard outcome.end == .exit(0) else {
        guard let (copy, damage) = last else { throw Trial.Fault(outcome.errors) }
        let how = outcome.end.map { "\($0)" } ?? "a hang"
        tallies[damage, default: Tally()].fall(
          "seed \(copy): the process ended with \(how): \(outcome.errors.suffix(400))")
        next = copy + 1
        continue
      }
      next += count
    }
  }

  /// Counts what a child says; returns the last copy that it began.
  private mutating func note(_ output: String) -> (seed: Int, damage: Damage)? {
    var last: (Int, Damage)?
    for line in output.split(separator: "\n") {
      let parts = line.split(separator: "\t", maxSplits: 3).map(String.init)
      guard parts.count >= 3, let seed = Int(parts[1]), let damage = Damage(rawValue: parts[2])
      else { continue }
      let text = parts.count > 3 ? parts[3] : ""
      switch parts[0] {
      case "begin":
        last = (seed, damage)
        tallies[damage, default: Tally()].rounds += 1
      case "end": tallies[damage, default: Tally()].count(text)
      case "value": tallies[damage, default: Tally()].count("unsent values that arrived altered")
      default: tallies[damage, default: Tally()].fall("seed \(seed): \(text)")
      }
    }
    return last
  }

  // MARK: In the child

  /// Plays copies and prints a line before and after each.
  static func playHere(seed: Int, count: Int, in root: URL) async throws {
    let folder = root.appending(path: "child-\(getpid())")
    defer { try? FileManager.default.removeItem(at: folder) }
    var trial = try await DamageTrial(DamageBase(at: folder), in: folder)
    let watch = HangWatch(seconds: patience)
    for seed in seed..<(seed + count) {
      watch.restart()
      let result = try await trial.play(seed: seed) { damage, moment in
        say("begin", seed, damage, moment)
      }
      for value in result.unsentValues { say("value", seed, result.damage, value) }
      for failure in result.failures { say("fell", seed, result.damage, failure) }
      say("end", seed, result.damage, result.end)
    }
  }

  private static func say(_ what: String, _ seed: Int, _ damage: Damage, _ text: String) {
    let line = text.replacingOccurrences(of: "\n", with: " ")
    FileHandle.standardOutput.write(Data("\(what)\t\(seed)\t\(damage.rawValue)\t\(line)\n".utf8))
  }
}
