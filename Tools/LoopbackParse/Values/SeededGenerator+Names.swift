// Ferry: offline-first sync for Parse Server. MIT licence.

import Randomness

extension SeededGenerator {
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
