// Ferry: offline-first sync for Parse Server. MIT licence.

/// Random numbers from a seed (SplitMix64): equal seeds give equal numbers on every machine.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  /// All that decides the numbers to come.
  public private(set) var state: UInt64

  /// Starts the numbers of a seed.
  public init(seed: UInt64) { state = seed }

  /// The next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

extension SeededGenerator: Choosing {
  package mutating func number(below bound: Int) -> Int { Int(next() % UInt64(max(bound, 1))) }
}
