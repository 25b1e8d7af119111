// Ferry: offline-first sync for Parse Server. MIT licence.

import Randomness

/// The only source of chance of a world: equal seeds give equal numbers on every machine.
public struct Chance: RandomNumberGenerator, Sendable {
  private var generator: SeededGenerator
  /// Bytes that decide instead of the seed's numbers; nil for the numbers.
  private var decisions: ArraySlice<UInt8>?

  /// Starts the numbers of a seed.
  public init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// Takes each decision from the next byte; where none is left, the first choice.
  init(decisions: [UInt8]) {
    generator = SeededGenerator(seed: 0)
    self.decisions = decisions[...]
  }

  /// The next number.
  public mutating func next() -> UInt64 { generator.next() }

  /// A number from 0 to below the bound.
  mutating func number(below bound: Int) -> Int {
    guard decisions != nil else { return generator.number(below: bound) }
    return Int(decisions?.popFirst() ?? 0) % max(bound, 1)
  }

  /// True with a probability of one in `many`.
  mutating func one(in many: Int) -> Bool { number(below: many) == 0 }

  /// An element; the list has one at least.
  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[number(below: elements.count)]
  }

  /// An element, each with its own weight.
  mutating func pick<Element>(weighted elements: [(Int, Element)]) -> Element {
    var place = number(below: elements.reduce(0) { $0 + $1.0 })
    for (weight, element) in elements {
      place -= weight
      if place < 0 { return element }
    }
    return elements[elements.count - 1].1
  }
}
