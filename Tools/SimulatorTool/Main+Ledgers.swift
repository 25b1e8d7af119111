// Ferry: offline-first sync for Parse Server. MIT licence.

import FerrySimulator
import Foundation

// Worlds that are judged by a ledger: of numbers and sets, and of files.
extension Main {
  /// The kinds of such worlds.
  enum LedgerKind: String {
    case counters, files

    var title: String {
      switch self {
      case .counters: "numbers and sets"
      case .files: "files"
      }
    }

    func world(_ seed: UInt64) throws -> LedgerWorld {
      switch self {
      case .counters: try CounterWorld(seed: seed)
      case .files: try FileWorld(seed: seed)
      }
    }
  }

  /// Plays such worlds, and says which fell; of one world, also what happened.
  static func play(_ kind: LedgerKind, _ options: Options) throws -> Bool {
    if let seed = options.seed {
      let world = try kind.world(seed)
      let violation = world.play()
      for line in world.chronicle { say(line) }
      say(violation.map { "\($0.rule.rawValue): \($0.message)" } ?? "The world breaks no rule.")
      return violation == nil
    }
    let first = options.first ?? UInt64.random(in: 1...UInt64(UInt32.max))
    let deadline = options.seconds.map { Date(timeIntervalSinceNow: $0) }
    let count = options.count ?? (options.seconds == nil ? 1_000 : .max)
    say("Worlds of \(kind.title) from seed \(first) on.")
    var (played, fallen) = (UInt64(0), 0)
    while played < count, deadline.map({ $0 > Date() }) ?? true {
      let seed = first + played
      if let violation = try kind.world(seed).play() {
        fallen += 1
        say(
          "FELL seed \(seed), \(violation.rule.rawValue): \(violation.message)\n     "
            + "Tools/Scripts/simulate --\(kind.rawValue) --seed \(seed)")
      }
      played += 1
    }
    say("\(played) worlds played, \(fallen) fell.")
    return fallen == 0
  }
}
