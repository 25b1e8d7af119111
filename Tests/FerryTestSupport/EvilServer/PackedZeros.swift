// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// Zeros without an end, or a gigabyte of them, packed to little.
package enum PackedZeros {
  /// The beginning of a gzip stream of zeros; `more` follows without an end.
  package static let gzip: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + deflated[..<2]

  /// The beginning of a zlib stream of zeros, which HTTP calls deflate; `more` follows.
  package static let zlib: [UInt8] = [0x78, 0x9C] + deflated[..<2]

  /// The continuation of both, which unpacks to some 10 MB.
  package static let more = [[UInt8]](repeating: Array(deflated[2..<15]), count: 5000)
    .flatMap(\.self)

  /// A gigabyte, packed three times with gzip.
  package static let gzipThrice = bytes(
    """
    H4sIAAAAAAACA5Pv5mAAASbmt3cW5k1OlGh7uH/LIsctPgvUHqhMS/CwYi5rWtnZytLs4Lf9pEOihbCBNUPAnINm25kVhFMc
    Bdneek748710pf/+Tyen/z55/OeGrwm/Hr9O+fR+688vzz+//fMQZHjPnWe/anbJMrct/z5dv6+PkYGhYWP13pgzZYsPvL/8
    1/k5UE3Dxd8f/txcfJe/cf7rcmOISPWf12lbbzPtux//Zm8RPwMDg8Re7YMg8zwEeUAKxMCcDAhHApkzKjMqMyozKjMqMypD
    SKZyd8yZ7dEHfu/+evP0Q3vrH5/enj1pwLN6/5X01jMn3vAzAADelw8HIgcAAA==
    """)

  /// A gigabyte, packed with brotli.
  package static let brotli = bytes(
    """
    z///fwAkAOKxQHLv//n//w+ABEAcFoDu/T////8BkACIwwLQvf/n//8/ABIAcVgAuvf//P//B0ACIA4LQPf+n////wBIAMRh
    Aeje//P//x8ACYA4LADd+3/+//8DIAEQhwWge//P//9/ACQA4rAAdO//+f//D4AEQBwWgO79P////wGQAIjDAtC9/+f//z8A
    EgBxWAC69//8//8HQAIgDgtA9/6f////AEgAxGEB6N7/8///HwAJgDgsAN37f/7//wMgARCHBaB7/8///38AJADisAB07//5
    //8PgARAHBaA7v0/////AZAAiMMC0L3/5///PwASAHFYALr3//z//wdAAiAOC0D3/p////8ASADEYQHo3v/z//8fAAmAOCwA
    3ft//v//AyABEIcFoHv/z///fwAkAOKwAHTv//n//w+ABEAcFoDu/T////8BkACIwwLQvf/n//8/ABIAcVgAuvf//P//B0AC
    IA4LQPf+n////wBIAMRhAeje//P//x8ACYA4LADd+3/+//8DIAEQhwWge//P//9/ACQA4rAAdO//+f//D4AEQBwWgO79P///
    /wGQAIjDAtC9/+f//z8AEgBxWAC69//8//8HQAIgDgtA9/6f////AEgAxGEB6N7/8///HwAJgDgsAN37f/7//wMgARCHBaB7
    /8///38AJADisAB07//5//8PgARAHBaA7v0/////AZAAiMMC0L3/5///PwASAHFYALr3//z//wdAAiAOC0D3/p////8ASADE
    YQHo3v/z//8fAAmAOCwA3ft//v//AyABEIcFoHv/z///fwAkAOKwAHTv//n//w+ABEAcFoDu/T////8BkACIwwLQvf/n//8/
    ABIAcVgAuvf//P//B0ACIA4LQPf+n////wBIAMRhAeje//P//x8ACYA4LADd+3/+//8DIAEQhwWge//P//9/ACQA4rAAdO//
    +f//D4AEQBwWgO79P////wGQAIjDAtC9/+f//z8AEgBxWAC69//8//8HQAIgDgtA9/6f////AEgAxGEB6N7/8///HwAJgDgs
    AN37//z//wcgARCHBaB7/w8=
    """)

  /// A gigabyte, packed with zstd: blocks that each repeat one byte.
  package static let zstd: [UInt8] = {
    let block: [UInt8] = [0x02, 0x00, 0x10, 0]
    return [0x28, 0xB5, 0x2F, 0xFD, 0, 0x38]
      + [[UInt8]](repeating: block, count: 8192).flatMap(\.self)
  }()

  /// A literal 0, then repetitions of 258 bytes each, in deflate's fixed codes.
  ///
  /// A repetition takes 13 bits, so from the third byte on 13 bytes repeat.
  private static let deflated: [UInt8] = {
    var bits = BitWriter()
    bits.append(0b011, 3)  // the last block, fixed codes
    bits.append(0b0000_1100, 8)  // literal 0 is code 00110000, first bit first
    for _ in 0..<16 {
      bits.append(0b1010_0011, 8)  // length 258 is code 11000101
      bits.append(0, 5)  // distance 1
    }
    return bits.bytes
  }()

  private static func bytes(_ base64: String) -> [UInt8] {
    Array(Data(base64Encoded: base64, options: .ignoreUnknownCharacters) ?? Data())
  }
}

/// Puts bits into bytes, the first bit lowest.
private struct BitWriter {
  private(set) var bytes: [UInt8] = []
  private var pending = 0
  private var width = 0

  mutating func append(_ bits: Int, _ count: Int) {
    pending |= bits << width
    width += count
    while width >= 8 {
      bytes.append(UInt8(pending & 0xFF))
      pending >>= 8
      width -= 8
    }
  }
}
