// Ferry: offline-first sync for Parse Server. MIT licence.

/// Writes values as JSON text.
///
/// Keys are written in order of length, then of bytes, as PostgreSQL keeps them; so one value always
/// gives one text.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []

  static func bytes(of value: LoopbackValue) -> [UInt8] {
    var writer = JSONWriter()
    writer.write(value)
    return writer.bytes
  }

  static func text(of value: LoopbackValue) -> String {
    String(decoding: bytes(of: value), as: UTF8.self)
  }

  mutating func write(_ value: LoopbackValue) {
    switch value {
    case .null: raw("null")
    case .bool(let flag): raw(flag ? "true" : "false")
    case .number(let number): raw(Self.text(of: number))
    case .string(let text): string(text)
    case .array(let elements):
      raw("[")
      for (index, element) in elements.enumerated() {
        if index > 0 { raw(",") }
        write(element)
      }
      raw("]")
    case .object(let members):
      raw("{")
      var first = true
      for name in Self.ordered(members.keys) {
        guard let member = members[name] else { continue }
        if !first { raw(",") }
        first = false
        string(name)
        raw(":")
        write(member)
      }
      raw("}")
    }
  }

  static func ordered(_ names: some Collection<String>) -> [String] {
    names.sorted { first, second in
      let lengths = (first.utf8.count, second.utf8.count)
      return lengths.0 == lengths.1 ? first < second : lengths.0 < lengths.1
    }
  }

  mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }

  mutating func raw(_ piece: [UInt8]) { bytes.append(contentsOf: piece) }

  mutating func string(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    if text.utf8.contains(where: Self.needsEscape) {
      for byte in text.utf8 { escaped(byte) }
    } else {
      bytes.append(contentsOf: text.utf8)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func escaped(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): raw("\\\"")
    case UInt8(ascii: "\\"): raw("\\\\")
    case 0x0A: raw("\\n")
    case 0x0D: raw("\\r")
    case 0x09: raw("\\t")
    case 0..<0x20:
      let digits = String(byte, radix: 16)
      raw("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
    default: bytes.append(byte)
    }
  }

  /// A number as JavaScript prints it, as far as JSON is concerned.
  static func text(of number: Double) -> String {
    guard number.isFinite else { return "null" }
    if let whole = Int64(exactly: number), abs(number) < 1e15 { return String(whole) }
    let text = "\(number)"
    if text.hasSuffix(".0") { return String(text.dropLast(2)) }
    guard abs(number) < 1e21, abs(number) >= 1, let mark = text.firstIndex(of: "e") else {
      return text
    }
    // Below 1e21 JavaScript writes all digits.
    let digits = text[..<mark].filter { $0 != "." && $0 != "-" }
    let exponent = Int(text[text.index(after: mark)...]) ?? 0
    let zeros = String(repeating: "0", count: max(0, exponent + 1 - digits.count))
    return (number < 0 ? "-" : "") + digits + zeros
  }
}
