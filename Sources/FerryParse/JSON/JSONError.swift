// Ferry: offline-first sync for Parse Server. MIT licence.

/// Why a JSON document could not be read.
package struct JSONError: Error, Hashable {
  /// A reason; more may come, so a `switch` over it needs a `default`.
  package struct Code: Hashable, Sendable {
    private enum Reason: Hashable {
      case empty, tooLarge, tooDeep, outOfMemory
      case cutShort, notUTF8, badString, badNumber, badStructure, duplicateKey
    }
    private let reason: Reason

    /// Nothing but white space.
    package static let empty = Code(reason: .empty)
    /// Longer than the reader's limit.
    package static let tooLarge = Code(reason: .tooLarge)
    /// Nested deeper than the reader's limit.
    package static let tooDeep = Code(reason: .tooDeep)
    /// The buffers for it could not be had.
    package static let outOfMemory = Code(reason: .outOfMemory)
    /// The text ends inside a value.
    package static let cutShort = Code(reason: .cutShort)
    /// A byte sequence that is not UTF-8.
    package static let notUTF8 = Code(reason: .notUTF8)
    /// A bad escape, a raw control character or half a surrogate pair.
    package static let badString = Code(reason: .badString)
    /// Not a number, or one beyond what 64 bits hold.
    package static let badNumber = Code(reason: .badNumber)
    /// A bracket, comma, colon or word where none may be.
    package static let badStructure = Code(reason: .badStructure)
    /// One key twice in one object.
    package static let duplicateKey = Code(reason: .duplicateKey)
  }

  package var code: Code
  /// The reason as a clause that completes a sentence, without its full stop.
  package var reason: String

  package init(_ code: Code, _ reason: String) {
    self.code = code
    self.reason = reason
  }
}

extension JSONError: CustomStringConvertible {
  package var description: String { "The JSON text \(reason)." }
}
