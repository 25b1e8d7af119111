// Ferry: offline-first sync for Parse Server. MIT licence.

/// The places where the tokens of a document begin, as the parser found them.
///
/// The tape has no places of the text. These lead from value to value without a look at the bytes between, so that
/// the text of a value of a page costs little.
struct JSONTokens {
  let text: UnsafeBufferPointer<UInt8>
  /// Where a bracket, a comma, a colon or another value begins.
  let starts: UnsafeBufferPointer<UInt32>

  /// The texts of the elements of an array that the root has as a member; nil if it has none of that name.
  func elements(ofMember name: StaticString) -> [Range<Int>]? {
    guard byte(0) == UInt8(ascii: "{") else { return nil }
    var key = 1
    while byte(key) == UInt8(ascii: "\"") {
      let value = key + 2
      let quoted = text(from: key, before: key + 1)
      if JSONScanner.spells(quoted.dropFirst().dropLast(), name, in: text) {
        return elements(ofArrayAt: value)
      }
      key = next(after: value) + 1
    }
    return nil
  }

  private func elements(ofArrayAt token: Int) -> [Range<Int>]? {
    guard byte(token) == UInt8(ascii: "[") else { return nil }
    var elements: [Range<Int>] = []
    var start = token + 1
    while let first = byte(start), first != UInt8(ascii: "]") {
      let end = next(after: start)
      elements.append(text(from: start, before: end))
      start = byte(end) == UInt8(ascii: ",") ? end + 1 : end
    }
    return elements
  }

  /// The token behind a value.
  private func next(after token: Int) -> Int {
    var depth = 0
    var token = token
    repeat {
      switch byte(token) {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case nil: return token
      default: break
      }
      token += 1
    } while depth > 0
    return token
  }

  /// The text from one token to another, without the space at its end.
  private func text(from token: Int, before next: Int) -> Range<Int> {
    let start = Int(starts[token])
    var end = next < starts.count ? Int(starts[next]) : text.count
    while end > start, Self.isSpace(text[end - 1]) { end -= 1 }
    return start..<end
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  /// The first byte of a token; nil behind the last one.
  private func byte(_ token: Int) -> UInt8? {
    token < starts.count ? text[Int(starts[token])] : nil
  }
}
