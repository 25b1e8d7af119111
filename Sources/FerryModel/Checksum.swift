// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// Detects accidental changes of bytes that were written; it is no protection against intent.
///
/// The checksum is FNV-1a over words of eight bytes. Each step can be undone, so a single changed
/// word always changes the result. It runs at the speed of memory.
package enum Checksum {
  private static let start: UInt64 = 0xcbf2_9ce4_8422_2325
  private static let prime: UInt64 = 0x100_0000_01b3

  package static func text(of bytes: some Collection<UInt8>) -> String {
    let whole = bytes.withContiguousStorageIfAvailable { digest(UnsafeRawBufferPointer($0)) }
    let value = whole ?? Array(bytes).withUnsafeBytes { digest($0) }
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  private static func digest(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash = start ^ UInt64(bytes.count)
    let words = bytes.count / 8
    for word in 0..<words {
      let value = UInt64(
        littleEndian: bytes.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self))
      hash = (hash ^ value) &* prime
      hash ^= hash >> 32
    }
    for byte in bytes[(words * 8)...] {
      hash = (hash ^ UInt64(byte)) &* prime
    }
    return hash ^ hash >> 32
  }
}
