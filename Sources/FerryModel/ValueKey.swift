// Ferry: offline-first sync for Parse Server. MIT licence.

/// A value with an order, as a member of a set: equal keys mean equal values of one field.
///
/// A pointer has the key of its object id.
package enum ValueKey: Hashable, Sendable {
  case none
  /// Bytes, since Swift takes texts for equal whose bytes differ.
  case bytes([UInt8])
  case number(Double)
  case integer(Int64)

  /// The key of a value; nil for a missing value, and for values that are kept as JSON.
  package init?(_ value: Value) {
    switch value {
    case .string(let text): self = .bytes(Array(text.utf8))
    case .pointer(let pointer): self = .bytes(Array(pointer.objectID.utf8))
    case .bytes(let bytes): self = .bytes(bytes)
    case .integer(let integer):
      self =
        Int64(exactly: Double(integer)) == integer ? .number(Double(integer)) : .integer(integer)
    case .number(let number): self = .number(number)
    case .boolean(let flag): self = .integer(flag ? 1 : 0)
    case .date(let date): self = .integer(date.milliseconds)
    case .null, .object, .array, .geoPoint, .polygon, .file, .relation: return nil
    }
  }
}
