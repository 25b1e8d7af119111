// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

extension JSONElement {
  /// The kind of value, for a sentence about the expected kind.
  var kindInWords: String {
    switch kind {
    case .null: "null"
    case .boolean: "a boolean"
    case .number: "a number"
    case .string: "a text"
    case .array: "an array"
    case .object: self["__type"]?.string.map { "an object of type \($0)" } ?? "an object"
    }
  }

  /// The kind of value, with what makes it differ from a type that is close to it.
  func kindInWords(insteadOf type: FieldType) -> String {
    if let pointer = ParsePointer.read(self) { return "a pointer to \(pointer.className)" }
    if let target = ParseRelation.read(self) { return "a relation to \(target)" }
    if kind == .number, type == .integer, let double {
      return double.rounded() == double ? "a number too large" : "a fraction"
    }
    let isOfType = kind == .object && self["__type"]?.string == type.wireName
    return kindInWords + (isOfType ? " that is not well formed" : "")
  }
}

extension FieldType {
  /// The type, for a sentence about a value of another one.
  var nameInWords: String {
    switch self {
    case .integer: "a whole number"
    case .pointer(let target): "a pointer to \(target)"
    case .relation(let target): "a relation to \(target)"
    case .text, .number, .boolean, .date, .bytes, .object, .array, .geoPoint, .polygon, .file:
      "of type \(wireName)"
    }
  }
}
