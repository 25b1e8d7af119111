// Ferry: offline-first sync for Parse Server. MIT licence.

/// Writes values as JSON text, in the encoding of Parse's REST interface.
///
/// The server receives this text, and SQLite columns hold it for fields that SQLite has no type
/// for. Keys are written in byte order, so equal values have equal text.
package struct WireJSON {
  package private(set) var bytes: [UInt8] = []
  private let infinities: JSONInfinities

  package init(reserving capacity: Int = 0) { self.init(reserving: capacity, infinities: .none) }

  init(reserving capacity: Int = 0, infinities: JSONInfinities) {
    self.infinities = infinities
    bytes.reserveCapacity(capacity)
  }

  package static func text(_ value: Value) -> String {
    var writer = WireJSON()
    writer.write(value)
    return writer.text
  }

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Forgets what was written, and keeps the room for it.
  package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  package mutating func write(_ value: Value) {
    switch value {
    case .null: raw("null")
    case .boolean(let value): raw(value ? "true" : "false")
    case .integer(let value): raw(String(value))
    case .number(let value): write(value)
    case .string(let value): write(value)
    case .array(let elements): array(elements) { $0.write($1) }
    case .geoPoint(let point): write(point)
    case .object, .date, .bytes, .relation, .pointer, .polygon, .file:
      object(value.wireMembers)
    }
  }

  /// Writes what an encoder has filled, without making one value of it first.
  mutating func write(_ node: ValueNode) {
    switch node.content {
    case .value(let value): write(value)
    case .array(let elements): array(elements) { $0.write($1) }
    case .object(let members): object(members.inByteOrder) { $0.write($1) }
    }
  }

  package mutating func write(_ point: GeoPoint) {
    raw(#"{"__type":"GeoPoint","latitude":"#)
    write(point.latitude)
    raw(#","longitude":"#)
    write(point.longitude)
    raw("}")
  }

  /// Writes an object with its members in the given order.
  package mutating func object(_ members: [(key: String, value: Value)]) {
    object(members) { $0.write($1) }
  }

  private mutating func object<Member>(
    _ members: [(key: String, value: Member)], _ write: (inout WireJSON, Member) -> Void
  ) {
    raw("{")
    for (index, member) in members.enumerated() {
      if index > 0 { raw(",") }
      self.write(member.key)
      raw(":")
      write(&self, member.value)
    }
    raw("}")
  }

  package mutating func raw(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  package mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private mutating func array<Element>(
    _ elements: [Element], _ write: (inout WireJSON, Element) -> Void
  ) {
    raw("[")
    for (index, element) in elements.enumerated() {
      if index > 0 { raw(",") }
      write(&self, element)
    }
    raw("]")
  }

  package mutating func write(_ number: Double) {
    guard number.isFinite else { return raw(infinities.text(number)) }
    if let whole = Int64(exactly: number), number.magnitude < 1e15 {
      raw(String(whole))
    } else {
      raw(number.description)
    }
  }

  package mutating func write(_ text: String) {
    var text = text
    text.withUTF8 { write(utf8: $0) }
  }

  /// Writes a text that is UTF-8.
  package mutating func write(utf8 text: UnsafeBufferPointer<UInt8>) {
    raw("\"")
    if text.contains(where: Self.isEscaped) {
      for byte in text { writeEscaped(byte) }
    } else {
      bytes.append(contentsOf: text)
    }
    raw("\"")
  }

  private mutating func writeEscaped(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): raw(#"\""#)
    case UInt8(ascii: "\\"): raw(#"\\"#)
    case 0x0A: raw(#"\n"#)
    case 0x0D: raw(#"\r"#)
    case 0x09: raw(#"\t"#)
    case 0..<0x20:
      let digits = Array("0123456789abcdef".utf8)
      raw(#"\u00"#)
      bytes.append(digits[Int(byte >> 4)])
      bytes.append(digits[Int(byte & 15)])
    default: bytes.append(byte)
    }
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }
}
