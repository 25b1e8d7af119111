// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

extension String {
  /// The text without the differences that options ignore.
  ///
  /// It is the one folding of both stores: texts that are equal to one of them must be equal to the other.
  package func folded(_ options: TextOptions) -> String {
    guard !options.isEmpty else { return self }
    let ignoresCase = options.contains(.ignoringCase)
    if utf8.allSatisfy({ $0 < 0x80 }) { return ignoresCase ? lowercased() : self }
    var scalars = UnicodeScalarView(decomposedStringWithCanonicalMapping.unicodeScalars)
    if options.contains(.ignoringDiacritics) { scalars.removeAll(where: \.isDiacritic) }
    let text = String(scalars)
    // By way of the capitals, since some small letters have one capital: ß, final sigma, long s.
    return (ignoresCase ? text.uppercased().lowercased() : text)
      .precomposedStringWithCanonicalMapping
  }
}

extension Unicode.Scalar {
  /// Whether a search may leave the mark out.
  ///
  /// The classes tell accents, Hebrew points and Arabic vowel marks from vowel signs and from the marks of kana.
  fileprivate var isDiacritic: Bool {
    switch properties.canonicalCombiningClass.rawValue {
    case 1, 10...35, 200...: true
    default: false
    }
  }
}
