// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

extension TextMatch {
  /// The records whose text matches letter for letter, by a regular expression where that means the same.
  func askedRecords(of name: String) -> AskedRecords {
    switch self {
    case .equals(let text):
      text.isSendable ? .exactly(.equal(name, .string(text))) : .among(.present(name))
    case .prefix(""), .suffix(""), .contains(""): .exactly(.present(name))
    case .prefix(let text):
      text.isLiteral ? .exactly(.matches(name, "^" + text)) : .among(.present(name))
    case .contains(let text):
      text.isLiteral ? .exactly(.matches(name, text)) : .among(.present(name))
    // On MongoDB, `$` also matches before a last line end, so that more records come.
    case .suffix(let text):
      text.isLiteral ? .among(.matches(name, text + "$")) : .among(.present(name))
    case .like: .among(.present(name))
    }
  }
}

extension String {
  /// Whether the text is a regular expression for itself: letters, digits and spaces.
  ///
  /// Parse Server writes other characters anew for PostgreSQL, and cuts those in halves that have two.
  fileprivate var isLiteral: Bool {
    unicodeScalars.allSatisfy { scalar in
      guard scalar.value < 0x10000 else { return false }
      switch scalar.properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter:
        return true
      default: return scalar == " " || ("0"..."9").contains(scalar)
      }
    }
  }
}
