// Ferry: offline-first sync for Parse Server. MIT licence.

/// Which names a class and a field may have.
enum Names {
  static func isClassName(_ name: String) -> Bool {
    ClassSchema.builtIn[name] != nil || isPlain(name)
  }

  static func isFieldName(_ name: String) -> Bool {
    isPlain(name) && name != "className" && name != "length"
  }

  /// Letters, digits and underscores, a letter first.
  static func isPlain(_ name: String) -> Bool {
    guard let first = name.utf8.first, isLetter(first) else { return false }
    return name.utf8.allSatisfy { byte in
      isLetter(byte) || (byte >= 0x30 && byte <= 0x39) || byte == UInt8(ascii: "_")
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (byte >= 0x41 && byte <= 0x5A) || (byte >= 0x61 && byte <= 0x7A)
  }

  static let invalidClassOnWrite = Refusal.parse(107, "schema class name does not revalidate")

  static func invalidClassOfSchema(_ name: String) -> Refusal {
    .parse(
      103,
      "Invalid classname: \(name), classnames can only have alphanumeric characters and _, "
        + "and must start with an alpha character ")
  }

  static func invalidField(_ name: String) -> Refusal {
    .parse(105, "Invalid field name: \(name).")
  }
}
