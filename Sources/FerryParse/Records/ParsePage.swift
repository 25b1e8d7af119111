// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// What one answer to a query holds.
package struct ParsePage: Sendable, Equatable {
  /// A row's place in the order of `updatedAt` and `objectId`, letter for letter as on the page.
  package struct Key: Hashable, Sendable {
    package var version: ServerVersion
    package var objectID: String

    package init(version: ServerVersion, objectID: String) {
      self.version = version
      self.objectID = objectID
    }
  }

  /// The records, in the order of the page.
  package var records: [ServerRecord] = []
  /// The rows that cannot be imported.
  package var failures: [RecordFailure] = []
  /// How many rows match the query in all, where that was asked.
  package var count: Int?
  /// The last row's place, sound or not; nil if the page is empty or the row hides it.
  package var lastKey: Key?
  /// How many rows the page has, sound or not.
  package var rowCount = 0

  package init() {}
}

/// Why a whole page cannot be read; nothing of it was used.
package struct PageError: Error, Sendable, Equatable {
  /// A reason; more may come.
  package struct Code: RawRepresentable, Hashable, Sendable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    /// The text ends inside a value: the page has to be fetched again.
    package static let cutShort = Self(rawValue: "cut-short")
    /// It is no JSON, and the guilty record cannot be told from the others.
    package static let malformed = Self(rawValue: "malformed")
    /// It is JSON but not the answer to a query.
    package static let notAPage = Self(rawValue: "not-a-page")
    /// It is larger than allowed, or memory has run out.
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
    "The page is not well formed, and the guilty record cannot be told from the others.")
  static let notAPage = PageError(.notAPage, "The page is JSON but not a list of results.")
}

extension PageError: CustomStringConvertible {
  package var description: String { message }
}
