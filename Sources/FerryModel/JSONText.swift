// Ferry: offline-first sync for Parse Server. MIT licence.

/// Reads JSON text into a value, in one pass.
///
/// Stores use it for JSON columns and bookkeeping, which are short and many. The reader of the Parse dialect
/// reads what the server sends: it isolates bad records. This one accepts RFC 8259 and nothing else.
/// A number is an integer if 64 bits hold it.
package struct JSONText {
  /// A text that nests deeper is refused, so that it cannot exhaust the stack.
  private static let deepest = 500

  private let bytes: UnsafeBufferPointer<UInt8>
  private let infinities: JSONInfinities
  private var position = 0
  private var depth = 0

  private init(_ bytes: UnsafeBufferPointer<UInt8>, _ infinities: JSONInfinities) {
    self.bytes = bytes
    self.infinities = infinities
  }

  /// The text is not one JSON value.
  package struct Malformed: Error {
    package init() {}
  }

  /// The value of a text.
  static func value(
    _ text: String, infinities: JSONInfinities = .none
  ) throws(Malformed) -> Value {
    try read(text, infinities: infinities) { json throws(Malformed) in try json.value() }
  }

  /// Reads all of a text.
  static func read<Content>(
    _ text: String, infinities: JSONInfinities,
    _ body: (inout JSONText) throws(Malformed) -> Content
  ) throws(Malformed) -> Content {
    var text = text
    // `withUTF8` has no typed throws.
    let result = text.withUTF8 { bytes in
      Result { () throws(Malformed) in
        var reader = JSONText(bytes, infinities)
        let content = try body(&reader)
        guard reader.next() == nil else { throw Malformed() }
        return content
      }
    }
    return try result.get()
  }

  /// The next byte that is not white space, without consuming it.
  mutating func next() -> UInt8? {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      case let byte: return byte
      }
    }
    return nil
  }

  private mutating func take(_ expected: UInt8) -> Bool {
    guard next() == expected else { return false }
    position += 1
    return true
  }

  mutating func expect(_ expected: UInt8) throws(Malformed) {
    guard take(expected) else { throw Malformed() }
  }

  package mutating func value() throws(Malformed) -> Value {
    switch next() {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "t"): return try word("true", .boolean(true))
    case UInt8(ascii: "f"): return try word("false", .boolean(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  /// Reads what stands between two brackets, part by part.
  mutating func nested(
    _ opening: UInt8, _ closing: UInt8, _ part: (inout Self) throws(Malformed) -> Void
  ) throws(Malformed) {
    try expect(opening)
    guard depth < Self.deepest else { throw Malformed() }
    depth += 1
    defer { depth -= 1 }
    if take(closing) { return }
    repeat { try part(&self) } while take(UInt8(ascii: ","))
    try expect(closing)
  }

  private mutating func word(_ text: StaticString, _ value: Value) throws(Malformed) -> Value {
    guard text.withUTF8Buffer({ bytes[position...].starts(with: $0) }) else { throw Malformed() }
    position += text.utf8CodeUnitCount
    return value
  }
}

extension JSONText {
  // MARK: Arrays and objects

  private mutating func array() throws(Malformed) -> Value {
    var elements: [Value] = []
    try self.elements { json throws(Malformed) in elements.append(try json.value().nested) }
    return .array(elements)
  }

  /// Members with equal names are refused: SQLite's functions read the first, and the server would read the last.
  ///
  /// Names are equal also where their Unicode forms alone differ, since a value could hold but one of them.
  private mutating func object() throws(Malformed) -> Value {
    var members: [String: Value] = [:]
    try self.members { json, name throws(Malformed) in
      guard members.updateValue(try json.value().nested, forKey: name) == nil else {
        throw Malformed()
      }
    }
    guard members["__type"] != nil else { return .object(members) }
    return Value(wireObject: members) ?? .object(members)
  }
}

extension JSONText {
  // MARK: Strings

  /// The string at the opening quote.
  mutating func string() throws(Malformed) -> String {
    position += 1
    let start = position
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        position += 1
        return String(decoding: bytes[start..<(position - 1)], as: UTF8.self)
      case UInt8(ascii: "\\"): return try escaped(after: Array(bytes[start..<position]))
      case 0..<0x20: throw Malformed()
      default: position += 1
      }
    }
    throw Malformed()
  }

  /// The rest of a string, from its first escape on.
  private mutating func escaped(after start: [UInt8]) throws(Malformed) -> String {
    var text = start
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        position += 1
        return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        position += 1
        try escape(&text)
      case 0..<0x20: throw Malformed()
      case let byte:
        text.append(byte)
        position += 1
      }
    }
    throw Malformed()
  }

  /// Appends the character of the escape behind a backslash.
  private mutating func escape(_ text: inout [UInt8]) throws(Malformed) {
    guard let letter = byte else { throw Malformed() }
    position += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(letter)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"): text.append(contentsOf: String(Character(try scalar())).utf8)
    default: throw Malformed()
    }
  }

  /// The character of four digits, or of two such escapes that are a pair.
  private mutating func scalar() throws(Malformed) -> Unicode.Scalar {
    let first = try unit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard byte == UInt8(ascii: "\\") else { throw Malformed() }
    position += 1
    guard byte == UInt8(ascii: "u") else { throw Malformed() }
    position += 1
    let second = try unit()
    guard UTF16.isLeadSurrogate(first), UTF16.isTrailSurrogate(second),
      let scalar = Unicode.Scalar(
        0x10000 + (UInt32(first) & 0x3FF) << 10 + UInt32(second) & 0x3FF)
    else { throw Malformed() }
    return scalar
  }

  /// Four hexadecimal digits.
  private mutating func unit() throws(Malformed) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let byte, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw Malformed()
      }
      unit = unit << 4 + UInt16(digit)
      position += 1
    }
    return unit
  }
}

extension JSONText {
  // MARK: Numbers

  private mutating func number() throws(Malformed) -> Value {
    let start = position
    if byte == UInt8(ascii: "-") { position += 1 }
    if byte == UInt8(ascii: "0") { position += 1 } else { try digits() }
    var isWhole = true
    if byte == UInt8(ascii: ".") {
      isWhole = false
      position += 1
      try digits()
    }
    if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
      isWhole = false
      position += 1
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { position += 1 }
      try digits()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isWhole, let integer = Int64(text) { return .integer(integer) }
    guard let number = Double(text), number.isFinite || infinities == .asLargeNumbers else {
      throw Malformed()
    }
    // From 2^53 on, several integers have the same double, and the text does not say which is meant.
    guard number.magnitude < 0x1p53, let integer = Int64(exactly: number) else {
      return .number(number)
    }
    return .integer(integer)
  }

  private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// Consumes at least one digit.
  private mutating func digits() throws(Malformed) {
    let start = position
    while let byte, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { position += 1 }
    guard position > start else { throw Malformed() }
  }
}
