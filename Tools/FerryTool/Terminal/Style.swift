// Ferry: offline-first sync for Parse Server. MIT licence.

/// A way to set text off on a terminal.
enum Style: String, Sendable {
  case dim = "2"
  case red = "31"
  case yellow = "33"

  /// The text in this style, or as it is where there are no colours.
  func apply(_ text: String, if isUsed: Bool) -> String {
    isUsed && !text.isEmpty ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text
  }
}

extension String {
  /// With control characters made visible: what a server or a row holds must not steer a terminal.
  var printable: String {
    guard unicodeScalars.contains(where: { Self.isUnsafe($0) && $0 != "\n" }) else { return self }
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      text.append(Self.isUnsafe(scalar) && scalar != "\n" ? "\u{FFFD}" : scalar)
    }
    return String(text)
  }

  /// The same in one line, for a name among other words.
  var printableLine: String { printable.replacing("\n", with: "\u{FFFD}") }

  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
