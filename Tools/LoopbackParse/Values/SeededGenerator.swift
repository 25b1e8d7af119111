// Ferry: offline-first sync for Parse Server. MIT licence.

/// Random numbers from a seed, so that one seed always gives one run.
///
/// The algorithm is SplitMix64.
struct SeededGenerator: RandomNumberGenerator, Sendable {
  private(set) var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  private static let letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

  /// An object id: ten letters and digits.
  mutating func objectId() -> String {
    var bytes: [UInt8] = []
    for _ in 0..<10 { bytes.append(Self.letters[Int(next() % 62)]) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Thirty-two hexadecimal digits, the form of session tokens and file prefixes.
  mutating func hexadecimal() -> String {
    let digits = String(next(), radix: 16)
    let more = String(next(), radix: 16)
    func padded(_ text: String) -> String {
      String(repeating: "0", count: 16 - text.count) + text
    }
    return padded(digits) + padded(more)
  }
}
