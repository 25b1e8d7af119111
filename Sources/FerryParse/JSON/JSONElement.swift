// Ferry: offline-first sync for Parse Server. MIT licence.

/// One value of a parsed document: a position on the parser's tape, not a copy.
///
/// It is valid only inside the closure that received it, and costs nothing to make. Strings and
/// numbers are read on access.
package struct JSONElement {
  let tape: UnsafePointer<UInt64>
  let strings: UnsafePointer<UInt8>
  let index: Int

  package enum Kind: Hashable, Sendable {
    case null, boolean, number, string, array, object
  }

  package var kind: Kind {
    switch tag {
    case Tag.null: .null
    case Tag.true, Tag.false: .boolean
    case Tag.signed, Tag.unsigned, Tag.double: .number
    case Tag.string: .string
    case Tag.array: .array
    default: .object
    }
  }

  package var isNull: Bool { tag == Tag.null }

  package var boolean: Bool? {
    switch tag {
    case Tag.true: true
    case Tag.false: false
    default: nil
    }
  }

  /// The number, if it has neither fraction nor exponent and fits into 64 bits.
  package var integer: Int64? {
    tag == Tag.signed ? Int64(bitPattern: tape[index + 1]) : nil
  }

  /// The number if its value is whole, in any notation: `3` and `3.0` are equal.
  package var wholeNumber: Int? {
    integer.map(Int.init) ?? double.flatMap { Int(exactly: $0) }
  }

  /// The number, rounded to the nearest double as JavaScript reads it.
  package var double: Double? {
    switch tag {
    case Tag.signed: Double(Int64(bitPattern: tape[index + 1]))
    case Tag.unsigned: Double(tape[index + 1])
    case Tag.double: Double(bitPattern: tape[index + 1])
    default: nil
    }
  }

  /// The string's bytes, unescaped; always valid UTF-8.
  package var utf8: UnsafeBufferPointer<UInt8>? {
    tag == Tag.string ? stringBytes : nil
  }

  package var string: String? {
    utf8.map { String(decoding: $0, as: UTF8.self) }
  }

  /// The members in the order of the text, repeated keys included; nil if this is not an object.
  package var object: JSONObject? {
    tag == Tag.object ? JSONObject(element: self) : nil
  }

  /// The elements; nil if this is not an array.
  package var array: JSONArray? {
    tag == Tag.array ? JSONArray(element: self) : nil
  }

  /// The first member of that name; nil if this is not an object or has no such member.
  package subscript(name: StaticString) -> JSONElement? {
    object?.first { $0.key.equals(name) }?.value
  }
}

extension JSONElement {
  /// The first letters of tape words, as simdjson writes them.
  enum Tag {
    static let null = UInt8(ascii: "n")
    static let `true` = UInt8(ascii: "t")
    static let `false` = UInt8(ascii: "f")
    static let signed = UInt8(ascii: "l")
    static let unsigned = UInt8(ascii: "u")
    static let double = UInt8(ascii: "d")
    static let string = UInt8(ascii: "\"")
    static let array = UInt8(ascii: "[")
    static let object = UInt8(ascii: "{")
  }

  var tag: UInt8 { UInt8(truncatingIfNeeded: tape[index] >> 56) }

  /// The position of the next sibling or of the closing bracket.
  var following: Int {
    switch tag {
    case Tag.array, Tag.object: Int(UInt32(truncatingIfNeeded: tape[index]))
    case Tag.signed, Tag.unsigned, Tag.double: index + 2
    default: index + 1
    }
  }

  /// The bytes of a string: four bytes of length, then the text.
  var stringBytes: UnsafeBufferPointer<UInt8> {
    let start = strings + Int(tape[index] & 0x00FF_FFFF_FFFF_FFFF)
    let count = UnsafeRawPointer(start).loadUnaligned(as: UInt32.self)
    return UnsafeBufferPointer(start: start + 4, count: Int(count))
  }

  func at(_ index: Int) -> JSONElement {
    JSONElement(tape: tape, strings: strings, index: index)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether the bytes equal a text from the source code.
  package func equals(_ text: StaticString) -> Bool {
    elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
