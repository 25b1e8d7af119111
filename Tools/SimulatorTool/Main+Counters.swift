// Ferry: offline-first sync for Parse Server. MIT licence.

import FerrySimulator
import Foundation

// Worlds of numbers and sets.
extension Main {
  /// Plays such worlds, and says which fell; of one world, also what happened.
  static func playCounters(_ options: Options) throws -> Bool {
    if let seed = options.seed {
      let world = try CounterWorld(seed: seed)
      let violation = world.play()
      for line in world.chronicle { say(line) }
      say(violation.map { "\($0.rule.rawValue): \($0.message)" } ?? "The world breaks no rule.")
      return violation == nil
    }
    let first = options.first ?? UInt64.random(in: 1...UInt64(UInt32.max))
    let deadline = options.seconds.map { Date(timeIntervalSinceNow: $0) }
    let count = options.count ?? (options.seconds == nil ? 1_000 : .max)
    say("Worlds of numbers and sets from seed \(first) on.")
    var (played, fallen) = (UInt64(0), 0)
    while played < count, deadline.map({ $0 > Date() }) ?? true {
      let seed = first + played
      if let violation = try CounterWorld(seed: seed).play() {
        fallen += 1
        say(
          "FELL seed \(seed), \(violation.rule.rawValue): \(violation.message)\n     "
            + "Tools/Scripts/simulate --counters --seed \(seed)")
      }
      played += 1
    }
    say("\(played) worlds played, \(fallen) fell.")
    return fallen == 0
  }
}
