// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// Finds the ranges of values in a text that the parser refuses.
///
/// It knows only strings and brackets. So a number that is too large, or half a surrogate pair,
/// does not stop it. The caller can cut out the bad value and read its neighbours.
struct JSONScanner {
  enum Outcome: Equatable {
    /// A complete value, or the text in its place.
    case value(Range<Int>)
    /// The text ended inside the value.
    case endOfText
    /// A bracket of the wrong kind, or no value at all.
    case mismatch
  }

  let bytes: UnsafeBufferPointer<UInt8>
  private(set) var position: Int

  /// Starts at the beginning of a range of the text and never passes its end.
  init(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
    bytes = UnsafeBufferPointer(rebasing: text[..<range.upperBound])
    position = range.lowerBound
  }

  /// The next byte that is not white space, without consuming it.
  mutating func peek() -> UInt8? {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      case let byte: return byte
      }
    }
    return nil
  }

  /// Consumes the next byte if it is the expected one.
  mutating func take(_ expected: UInt8) -> Bool {
    guard peek() == expected else { return false }
    position += 1
    return true
  }

  /// Consumes one value.
  mutating func skipValue() -> Outcome {
    guard let first = peek() else { return .endOfText }
    let start = position
    switch first {
    case UInt8(ascii: "\""): return skipString() ? .value(start..<position) : .endOfText
    case UInt8(ascii: "["), UInt8(ascii: "{"): return skipContainer()
    default:
      skipWord()
      return position > start ? .value(start..<position) : .mismatch
    }
  }

  private mutating func skipContainer() -> Outcome {
    let start = position
    var closers: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\""):
        guard skipString() else { return .endOfText }
        continue
      case UInt8(ascii: "["): closers.append(UInt8(ascii: "]"))
      case UInt8(ascii: "{"): closers.append(UInt8(ascii: "}"))
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        guard closers.popLast() == byte else { return .mismatch }
      default: break
      }
      position += 1
      if closers.isEmpty { return .value(start..<position) }
    }
    return .endOfText
  }

  /// Consumes a string from its opening quote; false if the text ends first.
  private mutating func skipString() -> Bool {
    position += 1
    // Most strings have no escapes, and then the next quote ends them.
    if let end = place(of: UInt8(ascii: "\""), before: bytes.count),
      place(of: UInt8(ascii: "\\"), before: end) == nil
    {
      position = end + 1
      return true
    }
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        position += 1
        return true
      case UInt8(ascii: "\\"): position += 2
      default: position += 1
      }
    }
    position = bytes.count
    return false
  }

  /// The next place of a byte before another place; nil for none.
  private func place(of byte: UInt8, before end: Int) -> Int? {
    guard let start = bytes.baseAddress, position < end,
      let found = memchr(start + position, Int32(byte), end - position)
    else { return nil }
    return UnsafePointer(start).distance(
      to: UnsafePointer(found.assumingMemoryBound(to: UInt8.self)))
  }

  /// Consumes a number, `true`, `null` or other characters up to the next delimiter.
  private mutating func skipWord() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "\""),
        UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"):
        return
      default: position += 1
      }
    }
  }
}
