// Ferry: offline-first sync for Parse Server. MIT licence.

/// The SHA-256 of bytes that come in parts (FIPS 180-4).
///
/// No library that Ferry uses has it on every platform. A copy goes on from the same bytes, so the sum of a beginning can
/// be had at any time.
package struct SHA256: Sendable {
  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
    0x5be0_cd19,
  ]
  /// The bytes behind the last whole block.
  private var rest: [UInt8] = []
  private var count: UInt64 = 0

  package init() {}

  /// The sum of all bytes of a text's UTF-8.
  package static func text(of text: String) -> String {
    var sum = SHA256()
    var text = text
    text.withUTF8 { sum.add(UnsafeRawBufferPointer($0)) }
    return sum.text
  }

  /// Adds the next bytes.
  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    count &+= UInt64(bytes.count)
    var bytes = bytes[...]
    if !rest.isEmpty {
      let missing = bytes.prefix(64 - rest.count)
      rest += missing
      bytes = bytes.dropFirst(missing.count)
      guard rest.count == 64 else { return }
      rest.withUnsafeBytes { Self.mix($0, into: &state) }
      rest.removeAll(keepingCapacity: true)
    }
    let whole = bytes.count / 64 * 64
    Self.mix(UnsafeRawBufferPointer(rebasing: bytes.prefix(whole)), into: &state)
    rest += bytes.dropFirst(whole)
  }

  /// The sum of the bytes so far, in 64 hexadecimal digits.
  package var text: String {
    var last = self
    let bits = (count &* 8).bigEndian
    let zeros = (119 - Int(count % 64)) % 64
    last.rest += [0x80] + [UInt8](repeating: 0, count: zeros)
    withUnsafeBytes(of: bits) { last.rest += $0 }
    last.rest.withUnsafeBytes { Self.mix($0, into: &last.state) }
    return last.state.flatMap { word in
      (0..<8).map { Array("0123456789abcdef".utf8)[Int(word >> UInt32(28 - 4 * $0)) & 15] }
    }.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  /// Mixes whole blocks of 64 bytes into a state.
  private static func mix(_ bytes: UnsafeRawBufferPointer, into state: inout [UInt32]) {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
      state.withUnsafeMutableBufferPointer { state in
        factors.withUnsafeBufferPointer { factors in
          for block in 0..<(bytes.count / 64) {
            spread(bytes, at: block * 64, into: words)
            mix(words, factors, into: state)
          }
        }
      }
    }
  }

  private static func spread(
    _ bytes: UnsafeRawBufferPointer, at place: Int, into words: UnsafeMutableBufferPointer<UInt32>
  ) {
    for index in 0..<16 {
      words[index] = UInt32(
        bigEndian: bytes.loadUnaligned(fromByteOffset: place + 4 * index, as: UInt32.self))
    }
    for index in 16..<64 {
      let (early, late) = (words[index - 15], words[index - 2])
      let first = turned(early, 7) ^ turned(early, 18) ^ early >> 3
      let second = turned(late, 17) ^ turned(late, 19) ^ late >> 10
      words[index] = words[index - 16] &+ first &+ words[index - 7] &+ second
    }
  }

  private static func mix(
    _ words: UnsafeMutableBufferPointer<UInt32>, _ factors: UnsafeBufferPointer<UInt32>,
    into state: UnsafeMutableBufferPointer<UInt32>
  ) {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for round in 0..<64 {
      let chosen = (e & f) ^ (~e & g)
      let first =
        h &+ (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) &+ chosen &+ factors[round]
        &+ words[round]
      let most = (a & b) ^ (a & c) ^ (b & c)
      let second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) &+ most
      (h, g, f, e) = (g, f, e, d &+ first)
      (d, c, b, a) = (c, b, a, first &+ second)
    }
    for (index, value) in [a, b, c, d].enumerated() { state[index] &+= value }
    for (index, value) in [e, f, g, h].enumerated() { state[4 + index] &+= value }
  }

  private static func turned(_ word: UInt32, _ places: UInt32) -> UInt32 {
    word >> places | word << (32 - places)
  }

  /// The first 32 bits behind the point of the cube roots of the first 64 primes.
  private static let factors: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
    0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
    0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
    0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
    0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
    0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
    0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
    0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
    0xc671_78f2,
  ]
}
