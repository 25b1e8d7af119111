// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// Why a whole page cannot be read; none of it was used.
package struct PageError: Error, Sendable, Equatable {
  /// A reason; more may be added.
  package struct Code: RawRepresentable, Hashable, Sendable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    /// The text ends inside a value; the page must be fetched again.
    package static let cutShort = Self(rawValue: "cut-short")
    /// The text is not JSON, and the bad record cannot be separated from the others.
    package static let malformed = Self(rawValue: "malformed")
    /// The text is JSON but not the answer to a query.
    package static let notAPage = Self(rawValue: "not-a-page")
    /// The text exceeds its limit, or memory is short.
    package static let tooLarge = Self(rawValue: "too-large")
  }

  package var code: Code
  /// What happened, as a sentence.
  package var message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  static let malformed = PageError(
    .malformed,
    "The page is not well formed, and the bad record cannot be separated from the others.")
  static let notAPage = PageError(.notAPage, "The page is JSON but not a list of results.")
}

extension PageError: CustomStringConvertible {
  package var description: String { message }
}
