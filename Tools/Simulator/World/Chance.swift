// Ferry: offline-first sync for Parse Server. MIT licence.

import Randomness

/// The only source of chance of a world: equal seeds give equal numbers on every machine.
struct Chance: RandomNumberGenerator, Choosing, Sendable {
  private var generator: SeededGenerator
  /// Bytes that decide instead of the seed's numbers; nil for the numbers.
  private var decisions: ArraySlice<UInt8>?

  /// Starts the numbers of a seed.
  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// Takes each decision from the next byte; where none is left, the first choice.
  init(decisions: [UInt8]) {
    generator = SeededGenerator(seed: 0)
    self.decisions = decisions[...]
  }

  /// The next number.
  mutating func next() -> UInt64 { generator.next() }

  mutating func number(below bound: Int) -> Int {
    guard decisions != nil else { return generator.number(below: bound) }
    return Int(decisions?.popFirst() ?? 0) % max(bound, 1)
  }
}
