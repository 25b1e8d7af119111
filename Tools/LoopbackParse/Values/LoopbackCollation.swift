// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// The order of strings in the database behind a server.
///
/// It decides `order`, and what `$gt` and its kin mean for strings and object ids. Equality is exact
/// in either. A client that cuts ranges of object ids by itself works with one and fails with the
/// other, so test with both.
public enum LoopbackCollation: Sendable, Hashable {
  /// By code point: `B1 < Z9 < a1`.
  case codePoint

  /// As English readers expect: `a1 < A2 < B1 < b2`, digits before letters, signs before digits.
  ///
  /// An imitation of ICU's `en-US` that is exact for ASCII and folds accents of other letters.
  case english
}

extension LoopbackCollation {
  /// A key whose order by code point is this collation's order of the text.
  func sortKey(of text: String) -> String {
    switch self {
    case .codePoint: text
    case .english: Self.englishKey(of: text)
    }
  }

  /// White space first, then ICU's order of the other ASCII signs.
  private static let signs: [Unicode.Scalar: UInt32] = {
    var ranks: [Unicode.Scalar: UInt32] = [:]
    for (rank, sign) in " _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$".unicodeScalars.enumerated() {
      ranks[sign] = UInt32(rank) + 2
    }
    return ranks
  }()

  /// Letters without case and accent, then the accents, then the cases, each decisive only where all
  /// before is equal.
  private static func englishKey(of text: String) -> String {
    var letters = String.UnicodeScalarView()
    var accents = String.UnicodeScalarView()
    var cases = String.UnicodeScalarView()
    for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars {
      if scalar.properties.canonicalCombiningClass != .notReordered {
        accents.append(scalar)
        continue
      }
      if let rank = signs[scalar], let ranked = Unicode.Scalar(rank) {
        letters.append(ranked)
      } else {
        letters.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
      }
      accents.append("\u{1}")
      cases.append(scalar.properties.isUppercase ? "\u{2}" : "\u{1}")
    }
    return String(letters) + "\u{0}" + String(accents) + "\u{0}" + String(cases)
  }
}
