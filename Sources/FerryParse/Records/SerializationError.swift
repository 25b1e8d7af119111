// Ferry: offline-first sync for Parse Server. MIT licence.

/// Why a record's change cannot be sent; nothing of it was sent.
///
/// The change stays in the outbox, parked with this message, until the app edits the record.
package struct SerializationError: Error, Hashable, Sendable {
  /// A reason; more may be added.
  package struct Code: RawRepresentable, Hashable, Sendable {
    /// The reason in words joined by hyphens.
    package let rawValue: String

    /// Makes a code from its words.
    package init(rawValue: String) { self.rawValue = rawValue }

    /// A field that the class does not declare, or that belongs to the server.
    package static let unknownField = Self(rawValue: "unknown-field")
    /// A value whose type is not the field's type.
    package static let wrongType = Self(rawValue: "wrong-type")
    /// A whole number beyond ±2^53, which the server would change.
    package static let numberTooLarge = Self(rawValue: "number-too-large")
    /// Infinity, or not a number.
    package static let notANumber = Self(rawValue: "not-a-number")
    /// A date outside the years 0001 to 9999.
    package static let dateOutOfRange = Self(rawValue: "date-out-of-range")
    /// A text with the character U+0000, which some servers cannot store.
    package static let nullCharacter = Self(rawValue: "null-character")
    /// Bytes of length zero, which the server refuses.
    package static let emptyBytes = Self(rawValue: "empty-bytes")
    /// A file without URL, which has crashed servers.
    package static let fileWithoutURL = Self(rawValue: "file-without-url")
    /// An object that the server would execute as an operation instead of storing it.
    package static let operationAsValue = Self(rawValue: "operation-as-value")
    /// An access control list that the server would misunderstand.
    package static let badACL = Self(rawValue: "bad-acl")
    /// The class's own serializer refused the values.
    package static let serializerRefused = Self(rawValue: "serializer-refused")
  }

  /// The reason.
  package var code: Code
  /// The field with the problem.
  package var field: String
  /// The fault, what became of the change, and what to do.
  package var message: String

  init(_ code: Code, _ field: String, _ what: String, _ remedy: String) {
    self.code = code
    self.field = field
    message = "The field \(field) \(what). The change was not sent and is kept. \(remedy)"
  }
}

extension SerializationError: CustomStringConvertible {
  /// Shows the message.
  package var description: String { message }
}
