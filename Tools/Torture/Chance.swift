// Ferry: offline-first sync for Parse Server. MIT licence.

import Randomness

/// The random choices of a trial, which its seed decides.
struct Chance: RandomNumberGenerator {
  private var generator: SeededGenerator

  init(seed: Int) { generator = SeededGenerator(seed: UInt64(bitPattern: Int64(seed))) }

  mutating func next() -> UInt64 { generator.next() }

  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

  /// True in one of `count` cases.
  mutating func oneIn(_ count: Int) -> Bool { number(1...count) == 1 }
}
