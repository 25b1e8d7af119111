// Ferry: offline-first sync for Parse Server. MIT licence.

/// A course of events as one number, by FNV-1a: equal seeds must give equal traces.
struct Trace: Sendable, Hashable {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
  }
}
