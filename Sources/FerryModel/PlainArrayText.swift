// Ferry: offline-first sync for Parse Server. MIT licence.

/// Texts of JSON arrays that have one form only, so that two of them mean the same only if they are the same.
///
/// Such an array holds strings without escapes, true, false, null and arrays, and nothing stands between them
/// but commas. Numbers and objects have several forms.
package enum PlainArrayText {
  /// Whether a text is one of them; it may also be no JSON at all, and means itself then.
  package static func isOne(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard text.first == UInt8(ascii: "[") else { return false }
    var isInString = false
    for byte in text {
      switch byte {
      case UInt8(ascii: "\""): isInString.toggle()
      case UInt8(ascii: "\\"): return false
      case _ where isInString: break
      case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ","),
        UInt8(ascii: "a")...UInt8(ascii: "z"):
        break
      default: return false
      }
    }
    return true
  }
}
