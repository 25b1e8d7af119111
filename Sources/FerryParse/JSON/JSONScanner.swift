// Ferry: offline-first sync for Parse Server. MIT licence.

/// Finds where values begin and end in a text that a parser refuses.
///
/// It knows strings and brackets and nothing else, so a number too large or half a surrogate pair
/// does not stop it: the guilty value can be cut out and its neighbours read.
struct JSONScanner {
  enum Outcome: Equatable {
    /// A whole value, or what stands in its place.
    case value(Range<Int>)
    /// The text ended inside it.
    case endOfText
    /// A bracket of the wrong kind, or no value at all.
    case mismatch
  }

  let bytes: UnsafeBufferPointer<UInt8>
  private(set) var position: Int

  /// Starts at the beginning of a part of the text and never passes its end.
  init(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
    bytes = UnsafeBufferPointer(rebasing: text[..<range.upperBound])
    position = range.lowerBound
  }

  /// The next byte that is not white space, without passing it.
  mutating func peek() -> UInt8? {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      case let byte: return byte
      }
    }
    return nil
  }

  /// Passes the next byte if it is the one expected.
  mutating func take(_ expected: UInt8) -> Bool {
    guard peek() == expected else { return false }
    position += 1
    return true
  }

  /// Passes one value.
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

  /// Passes a string from its opening quote; false where the text ends first.
  private mutating func skipString() -> Bool {
    position += 1
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

  /// Passes a number, `true`, `null` or whatever stands there up to the next mark.
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
