// Ferry: offline-first sync for Parse Server. MIT licence.

/// Why a JSON document could not be read.
package struct JSONError: Error, Hashable {
  /// A reason; more may be added, so a `switch` needs a `default`.
  package struct Code: Hashable, Sendable {
    private enum Reason: Hashable {
      case empty, tooLarge, tooDeep, outOfMemory
      case cutShort, notUTF8, badString, badNumber, badStructure, duplicateKey
    }
    private let reason: Reason

    /// The text contains only white space.
    package static let empty = Code(reason: .empty)
    /// The text exceeds the reader's limit.
    package static let tooLarge = Code(reason: .tooLarge)
    /// The nesting exceeds the reader's limit.
    package static let tooDeep = Code(reason: .tooDeep)
    /// There is not enough memory for the buffers.
    package static let outOfMemory = Code(reason: .outOfMemory)
    /// The text ends inside a value.
    package static let cutShort = Code(reason: .cutShort)
    /// A byte sequence that is not UTF-8.
    package static let notUTF8 = Code(reason: .notUTF8)
    /// A bad escape, a raw control character or half a surrogate pair.
    package static let badString = Code(reason: .badString)
    /// Not a number, or one beyond what 64 bits hold.
    package static let badNumber = Code(reason: .badNumber)
    /// A bracket, comma, colon or word in the wrong place.
    package static let badStructure = Code(reason: .badStructure)
    /// A key that occurs twice in one object.
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
