// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryParse
import FerryPlanning

/// Fields of a change whose values cannot be sent, and why the first of them cannot.
struct UnsendableFields {
  private(set) var names = Set<String>()
  private(set) var refusal: Refusal?

  mutating func add(_ name: String, _ error: SerializationError) {
    names.insert(name)
    refusal = refusal ?? .unserializable(error)
  }
}

extension Refusal {
  /// The change cannot be written in the server's format.
  static func unserializable(_ error: any Error) -> Refusal {
    Refusal(reason: .unserializable, message: "\(error)")
  }
}
