// Ferry: offline-first sync for Parse Server. MIT licence.

/// Finds the position at which a text stops being JSON.
///
/// The parser reports only that a text is not JSON. This is enough for pages, but not for a file
/// that a person must correct.
struct JSONSyntax {
  let bytes: UnsafeBufferPointer<UInt8>
  /// The length of the valid beginning.
  private(set) var position = 0
  /// The text that JSON requires at the position of the error.
  private(set) var expected: StaticString = "a value"
  private static let deepest = 128

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// Checks the whole text; false at the first error, with `position` at the error.
  mutating func check() -> Bool {
    guard value(depth: 0) else { return false }
    skipSpace()
    return position == bytes.count || miss("the end of the text")
  }

  /// Notes what is missing; the innermost position is reported.
  private mutating func miss(_ expected: StaticString) -> Bool {
    self.expected = expected
    return false
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    guard next == byte else { return false }
    position += 1
    return true
  }

  private mutating func value(depth: Int) -> Bool {
    skipSpace()
    guard depth <= Self.deepest else { return miss("a value nested less deeply") }
    switch next {
    case UInt8(ascii: "{"): return list(closing: UInt8(ascii: "}"), depth, keyed: true)
    case UInt8(ascii: "["): return list(closing: UInt8(ascii: "]"), depth, keyed: false)
    case UInt8(ascii: "\""): return string()
    case UInt8(ascii: "t"): return word("true")
    case UInt8(ascii: "f"): return word("false")
    case UInt8(ascii: "n"): return word("null")
    default: return number()
    }
  }

  private mutating func list(closing: UInt8, _ depth: Int, keyed: Bool) -> Bool {
    position += 1
    if take(closing) { return true }
    repeat {
      if keyed {
        skipSpace()
        guard next == UInt8(ascii: "\"") else { return miss("a key in double quotes") }
        guard string() else { return false }
        guard take(UInt8(ascii: ":")) else { return miss("a colon after the key") }
      }
      guard value(depth: depth + 1) else { return false }
    } while take(UInt8(ascii: ","))
    return take(closing) || miss(keyed ? "a comma or }" : "a comma or ]")
  }

  private mutating func string() -> Bool {
    guard next == UInt8(ascii: "\"") else { return false }
    position += 1
    while let byte = next, byte >= 0x20 {
      if byte == UInt8(ascii: "\\") {
        guard escape() else { return false }
      } else {
        position += 1
        if byte == UInt8(ascii: "\"") { return true }
      }
    }
    return miss("the closing quote of the text")
  }

  private mutating func escape() -> Bool {
    guard position + 1 < bytes.count else { return miss("the closing quote of the text") }
    if bytes[position + 1] == UInt8(ascii: "u") {
      let digits = bytes.dropFirst(position + 2).prefix(4)
      guard digits.count == 4, digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }) else {
        return miss("four hexadecimal digits after \\u")
      }
      position += 6
      return true
    }
    guard #""\/bfnrt"#.utf8.contains(bytes[position + 1]) else {
      return miss("an escape that JSON knows")
    }
    position += 2
    return true
  }

  private mutating func word(_ word: StaticString) -> Bool {
    let end = position + word.utf8CodeUnitCount
    guard end <= bytes.count, UnsafeBufferPointer(rebasing: bytes[position..<end]).equals(word)
    else { return miss("a value") }
    position = end
    return true
  }

  private mutating func number() -> Bool {
    if next == UInt8(ascii: "-") { position += 1 }
    if next == UInt8(ascii: "0") {
      position += 1
    } else {
      guard digits() else { return false }
    }
    if next == UInt8(ascii: ".") {
      position += 1
      guard digits() else { return false }
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      position += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
      guard digits() else { return false }
    }
    return true
  }

  private mutating func digits() -> Bool {
    let start = position
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    return position > start || miss("a value")
  }
}
