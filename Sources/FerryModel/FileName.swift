// Ferry: offline-first sync for Parse Server. MIT licence.

/// The names that Parse Server takes for a file.
///
/// They have letters without accents, digits and the signs `@ . ~ _ -` and space, begin with a letter, a digit or `_`, and
/// have 128 bytes at most.
package enum FileName {
  package static let mostBytes = 128

  package static func isSendable(_ name: String) -> Bool {
    guard let first = name.utf8.first, name.utf8.count <= mostBytes else { return false }
    return isPlain(first) && name.utf8.allSatisfy(isAllowed)
  }

  /// The nearest name that the server takes.
  ///
  /// Each other sign becomes `_`, as the slash of a path does. A name that is too long loses the end of its stem, and keeps
  /// its ending.
  package static func mended(_ name: String) -> String {
    var text = ""
    for character in name {
      let bytes = String(character).utf8
      text.append(bytes.count == 1 && bytes.allSatisfy(isAllowed) ? character : "_")
    }
    if text.utf8.first.map(isPlain) != true { text = "_" + text }
    let excess = text.utf8.count - mostBytes
    guard excess > 0 else { return text }
    let dot = text.lastIndex(of: ".") ?? text.endIndex
    let ending = text[dot...]
    // An ending that is longer than a person would give is no ending.
    guard ending.utf8.count <= longestEnding else { return String(text.prefix(mostBytes)) }
    return String(text[..<dot].dropLast(excess)) + ending
  }

  private static let longestEnding = 16

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    isPlain(byte) || "@. ~-".utf8.contains(byte)
  }
}
