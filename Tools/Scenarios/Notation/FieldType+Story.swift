// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

extension FieldType {
  /// The types by their words in a story; a class is a pointer to it.
  static let storyWords: [String: FieldType] = [
    "text": .text, "integer": .integer, "number": .number, "boolean": .boolean, "date": .date,
    "bytes": .bytes, "object": .object, "array": .array, "geoPoint": .geoPoint,
    "polygon": .polygon, "file": .file,
  ]

  /// As a story writes it; nil for a relation.
  package var storyText: String? {
    switch self {
    case .pointer(let target): target
    default: Self.storyWords.first { $0.value == self }?.key
    }
  }
}
