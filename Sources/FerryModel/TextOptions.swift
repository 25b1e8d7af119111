// Ferry: offline-first sync for Parse Server. MIT licence.

/// Which differences a comparison of texts ignores.
///
/// With any option, letters are the same in both of their Unicode forms: `é` as one scalar, or as `e` with an accent.
/// Without one, texts are compared by their bytes. No option depends on the language of the device.
public struct TextOptions: OptionSet, Sendable, Hashable {
  /// The options as bits.
  public let rawValue: Int
  /// Options of bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// No difference is ignored.
  public static let exact: TextOptions = []
  /// Capital and small letters are the same, in all scripts; `ß` is `ss`.
  public static let ignoringCase = TextOptions(rawValue: 1)
  /// Accents and other marks of a letter are left out: `é` is `e`.
  ///
  /// Vowel signs of Indian and Thai script are no such marks, and `ø` is a letter of its own.
  public static let ignoringDiacritics = TextOptions(rawValue: 2)
}
