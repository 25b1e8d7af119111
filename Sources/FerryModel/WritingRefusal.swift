// Ferry: offline-first sync for Parse Server. MIT licence.

/// Why a value may not be written to a field.
package enum WritingRefusal: Sendable, Equatable {
  /// The value's type is not the field's type.
  case type(String)
  /// A whole number that the server would change.
  case numberTooLarge(Int64)
  /// JSON cannot express the value.
  case unspeakable(String)

  /// The fault, as a sentence.
  package var sentence: String {
    switch self {
    case .type(let sentence), .unspeakable(let sentence): sentence
    case .numberTooLarge(let number):
      "\(number) is beyond ±2^53, where the server's numbers are no longer exact."
    }
  }
}
