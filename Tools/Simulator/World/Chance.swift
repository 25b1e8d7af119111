// Ferry: offline-first sync for Parse Server. MIT licence.

/// The only source of chance of a world: equal seeds give equal numbers on every machine.
public struct Chance: RandomNumberGenerator, Sendable {
  private var state: UInt64
  /// Bytes that decide instead of the seed's numbers; nil for the numbers.
  private var decisions: ArraySlice<UInt8>?

  /// Starts the numbers of a seed.
  public init(seed: UInt64) { state = seed }

  /// Takes each decision from the next byte; where none is left, the first choice.
  init(decisions: [UInt8]) {
    state = 0
    self.decisions = decisions[...]
  }

  /// The next number, by SplitMix64.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 to below the bound.
  mutating func number(below bound: Int) -> Int {
    guard decisions != nil else { return Int(next() % UInt64(max(bound, 1))) }
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
