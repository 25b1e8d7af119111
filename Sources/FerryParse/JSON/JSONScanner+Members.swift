// Ferry: offline-first sync for Parse Server. MIT licence.

extension JSONScanner {
  /// The text ranges of an object's members; nil if the text is not a complete object.
  ///
  /// Keys keep their escapes; `spells` compares them with a name.
  static func members(
    of range: Range<Int>, in text: UnsafeBufferPointer<UInt8>
  ) -> [(key: Range<Int>, value: Range<Int>)]? {
    var scanner = JSONScanner(text, range)
    var members: [(key: Range<Int>, value: Range<Int>)] = []
    let isComplete = scanner.members { scanner, key in
      guard case .value(let value) = scanner.skipValue() else { return false }
      members.append((key, value))
      return true
    }
    return isComplete ? members : nil
  }

  /// Consumes an object; the closure consumes the value of each member, whose key it is given.
  ///
  /// - Returns: Whether the object is complete, and the closure never returned false.
  mutating func members(_ body: (inout JSONScanner, Range<Int>) -> Bool) -> Bool {
    guard take(UInt8(ascii: "{")) else { return false }
    if take(UInt8(ascii: "}")) { return true }
    repeat {
      guard peek() == UInt8(ascii: "\""), case .value(let key) = skipValue(),
        take(UInt8(ascii: ":")), body(&self, key.dropFirst().dropLast())
      else { return false }
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "}"))
  }

  /// The text ranges of an array's elements; nil if the text does not begin with a complete array.
  static func elements(
    of range: Range<Int>, in text: UnsafeBufferPointer<UInt8>
  ) -> [Range<Int>]? {
    var scanner = JSONScanner(text, range)
    return scanner.elements()
  }

  /// Consumes an array, and returns the text ranges of its elements; nil if it is not complete.
  mutating func elements() -> [Range<Int>]? {
    var elements: [Range<Int>] = []
    guard take(UInt8(ascii: "[")) else { return nil }
    if take(UInt8(ascii: "]")) { return elements }
    repeat {
      guard case .value(let element) = skipValue() else { return nil }
      elements.append(element)
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "]")) ? elements : nil
  }

  /// Whether the text of a key is a name of ASCII letters, with escapes or without.
  ///
  /// The parser resolves escapes, so both must find the same members.
  static func spells(
    _ key: Range<Int>, _ name: StaticString, in text: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    var rest = text[key]
    for letter in UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount) {
      guard let first = rest.popFirst() else { return false }
      guard first == UInt8(ascii: "\\") else {
        if first == letter { continue } else { return false }
      }
      let digits = String(decoding: rest.prefix(5).dropFirst(), as: UTF8.self)
      guard rest.first == UInt8(ascii: "u"), digits.utf8.count == 4,
        UInt16(digits, radix: 16) == UInt16(letter)
      else { return false }
      rest = rest.dropFirst(5)
    }
    return rest.isEmpty
  }
}
