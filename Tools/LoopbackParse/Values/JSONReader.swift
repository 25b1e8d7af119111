// Ferry: offline-first sync for Parse Server. MIT licence.

/// Reads JSON text into values.
///
/// It is written here, and not taken from Foundation, because Foundation's reader on Linux blurs
/// booleans and numbers, which Parse keeps apart.
struct JSONReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0
  private var depth = 0

  private init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// Reads a whole text; anything after the value but white space is an error.
  static func value(of bytes: [UInt8]) throws(JSONReadError) -> LoopbackValue {
    try bytes.withUnsafeBufferPointer { buffer throws(JSONReadError) in
      var reader = JSONReader(buffer)
      let value = try reader.readValue()
      reader.skipSpace()
      guard reader.position == buffer.count else { throw reader.unexpected() }
      return value
    }
  }

  private mutating func readValue() throws(JSONReadError) -> LoopbackValue {
    skipSpace()
    guard position < bytes.count else { throw unexpected() }
    switch bytes[position] {
    case UInt8(ascii: "{"):
      return try nested { reader throws(JSONReadError) in try reader.readObject() }
    case UInt8(ascii: "["):
      return try nested { reader throws(JSONReadError) in try reader.readArray() }
    case UInt8(ascii: "\""): return .string(try readString())
    case UInt8(ascii: "t"): return try readWord("true", .bool(true))
    case UInt8(ascii: "f"): return try readWord("false", .bool(false))
    case UInt8(ascii: "n"): return try readWord("null", .null)
    default: return try readNumber()
    }
  }

  /// Guards the stack against a text of nothing but opening brackets.
  private mutating func nested(
    _ read: (inout JSONReader) throws(JSONReadError) -> LoopbackValue
  ) throws(JSONReadError) -> LoopbackValue {
    depth += 1
    defer { depth -= 1 }
    guard depth <= 256 else { throw JSONReadError(reason: "Nesting too deep", position: position) }
    return try read(&self)
  }

  private mutating func readObject() throws(JSONReadError) -> LoopbackValue {
    position += 1
    var members: [String: LoopbackValue] = [:]
    if take(UInt8(ascii: "}")) { return .object(members) }
    repeat {
      skipSpace()
      guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
        throw JSONReadError(reason: "Expected property name", position: position)
      }
      let name = try readString()
      guard take(UInt8(ascii: ":")) else { throw unexpected() }
      members[name] = try readValue()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw unexpected() }
    return .object(members)
  }

  private mutating func readArray() throws(JSONReadError) -> LoopbackValue {
    position += 1
    var elements: [LoopbackValue] = []
    if take(UInt8(ascii: "]")) { return .array(elements) }
    repeat {
      elements.append(try readValue())
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw unexpected() }
    return .array(elements)
  }

  private mutating func readWord(
    _ word: StaticString, _ value: LoopbackValue
  ) throws(JSONReadError) -> LoopbackValue {
    for offset in 0..<word.utf8CodeUnitCount {
      guard position < bytes.count, bytes[position] == word.utf8Start[offset] else {
        throw unexpected()
      }
      position += 1
    }
    return value
  }

  private mutating func readNumber() throws(JSONReadError) -> LoopbackValue {
    let start = position
    if position < bytes.count, bytes[position] == UInt8(ascii: "-") { position += 1 }
    let digits = position
    while position < bytes.count, Self.belongsToNumber(bytes[position]) { position += 1 }
    let span = bytes[start..<position]
    guard digits < position, Self.isDigit(bytes[digits]),
      !(bytes[digits] == UInt8(ascii: "0") && digits + 1 < position
        && Self.isDigit(bytes[digits + 1])),
      Self.isDigit(bytes[position - 1]),
      let number = Double(String(decoding: span, as: UTF8.self))
    else {
      position = digits
      throw unexpected()
    }
    return .number(number)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  private static func belongsToNumber(_ byte: UInt8) -> Bool {
    isDigit(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "e")
      || byte == UInt8(ascii: "E") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
  }

  private mutating func readString() throws(JSONReadError) -> String {
    position += 1
    let start = position
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        position += 1
        return text
      case UInt8(ascii: "\\"): return try readEscapedString(from: start)
      case 0..<0x20:
        throw JSONReadError(reason: "Bad control character in string literal", position: position)
      default: position += 1
      }
    }
    throw JSONReadError(reason: "Unterminated string", position: position)
  }

  /// The slow path: a string that holds at least one backslash.
  private mutating func readEscapedString(from start: Int) throws(JSONReadError) -> String {
    var units: [UInt8] = Array(bytes[start..<position])
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: "\"") { return String(decoding: units, as: UTF8.self) }
      guard byte == UInt8(ascii: "\\") else {
        units.append(byte)
        continue
      }
      guard position < bytes.count else { break }
      let escape = bytes[position]
      position += 1
      switch escape {
      case UInt8(ascii: "n"): units.append(0x0A)
      case UInt8(ascii: "t"): units.append(0x09)
      case UInt8(ascii: "r"): units.append(0x0D)
      case UInt8(ascii: "b"): units.append(0x08)
      case UInt8(ascii: "f"): units.append(0x0C)
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): units.append(escape)
      case UInt8(ascii: "u"): units.append(contentsOf: Array(String(try readScalar()).utf8))
      default: throw JSONReadError(reason: "Bad escaped character", position: position - 1)
      }
    }
    throw JSONReadError(reason: "Unterminated string", position: position)
  }

  /// Reads the digits after `\u`; half a pair of surrogates becomes the replacement character.
  private mutating func readScalar() throws(JSONReadError) -> Character {
    let first = try readHexadecimal()
    if (0xD800..<0xDC00).contains(first), position + 1 < bytes.count,
      bytes[position] == UInt8(ascii: "\\"), bytes[position + 1] == UInt8(ascii: "u")
    {
      let mark = position
      position += 2
      let second = try readHexadecimal()
      if (0xDC00..<0xE000).contains(second),
        let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
      {
        return Character(scalar)
      }
      position = mark
    }
    return Character(Unicode.Scalar(first) ?? "\u{FFFD}")
  }

  private mutating func readHexadecimal() throws(JSONReadError) -> UInt32 {
    guard position + 4 <= bytes.count,
      let unit = UInt32(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16)
    else { throw JSONReadError(reason: "Bad Unicode escape", position: position) }
    position += 4
    return unit
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return
      }
    }
  }

  private func unexpected() -> JSONReadError {
    guard position < bytes.count else {
      return JSONReadError(reason: "Unexpected end", position: position)
    }
    let character = String(decoding: bytes[position...position], as: UTF8.self)
    return JSONReadError(reason: "Unexpected token '\(character)'", position: position)
  }
}
