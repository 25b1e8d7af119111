// Ferry: offline-first sync for Parse Server. MIT licence.

/// A match of texts, made ready for many of them.
package struct TextPattern: Sendable {
  /// A part of a pattern with wildcards.
  private enum Part: Equatable {
    case anything, one
    case scalar(Unicode.Scalar)
  }

  private let match: TextMatch
  private let options: TextOptions
  private let wanted: [UInt8]
  private let parts: [Part]

  package init(_ match: TextMatch, _ options: TextOptions) {
    self.match = match
    self.options = options
    switch match {
    case .prefix(let text), .suffix(let text), .contains(let text), .equals(let text):
      wanted = Array(text.folded(options).utf8)
      parts = []
    case .like(let text):
      wanted = []
      parts = Self.parts(text.folded(options))
    }
  }

  /// Whether a text matches.
  package func matches(_ text: String) -> Bool {
    var text = text.folded(options)
    return switch match {
    case .prefix: text.utf8.starts(with: wanted)
    case .suffix: text.utf8.reversed().starts(with: wanted.reversed())
    case .equals: text.utf8.elementsEqual(wanted)
    case .contains: text.withUTF8 { Self.has(wanted, in: $0) }
    case .like: isLike(Array(text.unicodeScalars))
    }
  }

  private static func has(_ wanted: [UInt8], in text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = wanted.first else { return true }
    guard text.count >= wanted.count else { return false }
    for start in 0...(text.count - wanted.count)
    where text[start] == first && text[start...].starts(with: wanted) {
      return true
    }
    return false
  }

  private static func parts(_ pattern: String) -> [Part] {
    var parts: [Part] = []
    var rest = Substring(pattern).unicodeScalars
    while let scalar = rest.popFirst() {
      switch scalar {
      case "%": if parts.last != .anything { parts.append(.anything) }
      case "_": parts.append(.one)
      case "\\":
        guard let next = rest.first, ["%", "_", "\\"].contains(next) else { fallthrough }
        parts.append(.scalar(next))
        rest.removeFirst()
      default: parts.append(.scalar(scalar))
      }
    }
    return parts
  }

  /// Goes back to the last wildcard only, since what an earlier one takes makes no difference.
  private func isLike(_ text: [Unicode.Scalar]) -> Bool {
    var (part, place) = (0, 0)
    var resumption: (part: Int, place: Int)?
    while place < text.count {
      if part < parts.count, parts[part] == .anything {
        part += 1
        resumption = (part, place)
      } else if part < parts.count, parts[part] == .one || parts[part] == .scalar(text[place]) {
        part += 1
        place += 1
      } else if let last = resumption {
        resumption = (last.part, last.place + 1)
        (part, place) = (last.part, last.place + 1)
      } else {
        return false
      }
    }
    return parts[part...].allSatisfy { $0 == .anything }
  }
}
