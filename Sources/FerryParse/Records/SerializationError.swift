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
    /// Lists and objects in more levels than Ferry reads.
    package static let tooDeep = Self(rawValue: "too-deep")
    /// A date outside the years 0001 to 9999.
    package static let dateOutOfRange = Self(rawValue: "date-out-of-range")
    /// A text with the character U+0000, which some servers cannot store.
    package static let nullCharacter = Self(rawValue: "null-character")
    /// Bytes of length zero, which the server refuses.
    package static let emptyBytes = Self(rawValue: "empty-bytes")
    /// A pointer with an empty object id, which names no record.
    package static let emptyPointer = Self(rawValue: "empty-pointer")
    /// A file without URL, which has crashed servers.
    package static let fileWithoutURL = Self(rawValue: "file-without-url")
    /// A new file, which no server has, inside a list or an object.
    package static let unsentFile = Self(rawValue: "unsent-file")
    /// An object that the server would execute as an operation instead of storing it.
    package static let operationAsValue = Self(rawValue: "operation-as-value")
    /// An access control list that the server would misunderstand.
    package static let badACL = Self(rawValue: "bad-acl")
    /// The class's own serializer refused the values.
    package static let serializerRefused = Self(rawValue: "serializer-refused")
  }

  /// The reason; that of the first field if several have a problem.
  package var code: Code
  /// The fields with a problem.
  package var field: String
  /// The faults, what became of the change, and what to do.
  package var message: String
  /// The fault and what to do, without what became of the change.
  let advice: String

  private static let fate = "The change was not sent and is kept."

  init(_ code: Code, _ field: String, _ what: String, _ remedy: String) {
    self.code = code
    self.field = field
    message = "The field \(field) \(what). \(Self.fate) \(remedy)"
    advice = "The field \(field) \(what). \(remedy)"
  }

  /// Joins the errors of several fields in the order of their names; nil without any.
  init?(_ errors: [SerializationError]) {
    let errors = errors.sorted { $0.field < $1.field }
    guard let first = errors.first else { return nil }
    self = first
    guard errors.count > 1 else { return }
    let advice = errors.map(\.advice).joined(separator: " ")
    self.init(
      code: first.code, field: errors.map(\.field).joined(separator: ", "),
      message: "\(advice) \(Self.fate)", advice: advice)
  }

  private init(code: Code, field: String, message: String, advice: String) {
    self.code = code
    self.field = field
    self.message = message
    self.advice = advice
  }
}

extension SerializationError: CustomStringConvertible {
  /// Shows the message.
  package var description: String { message }
}
