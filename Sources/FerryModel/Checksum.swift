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
    return hexadecimal(whole ?? Array(bytes).withUnsafeBytes { digest($0) })
  }

  /// The checksum of a text's UTF-8.
  package static func text(of text: String) -> String {
    var text = text
    return hexadecimal(text.withUTF8 { digest(UnsafeRawBufferPointer($0)) })
  }

  private static func hexadecimal(_ value: UInt64) -> String {
    String(unsafeUninitializedCapacity: 16) { digits in
      for place in 0..<16 {
        let digit = UInt8(truncatingIfNeeded: value >> UInt64(60 - 4 * place)) & 15
        digits[place] = digit < 10 ? digit + UInt8(ascii: "0") : digit + UInt8(ascii: "a") - 10
      }
      return 16
    }
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
