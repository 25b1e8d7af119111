// Ferry: offline-first sync for Parse Server. MIT licence.

/// The part of a stored value that a database compares.
enum StoredKey {
  /// A pointer counts as its id, a date as its text, a file as its name.
  static func key(of value: LoopbackValue) -> LoopbackValue {
    switch value.typeName {
    case "Pointer": value["objectId"] ?? .null
    case "Date": value["iso"] ?? .null
    case "File": value["name"] ?? .null
    default: value
    }
  }

  /// Negative, zero or positive, as the first comes before, with or after the second; nil where they
  /// cannot be compared.
  static func compare(
    _ first: LoopbackValue, _ second: LoopbackValue, isNested: Bool,
    _ collation: LoopbackCollation
  ) -> Int? {
    switch (first, second) {
    case (.number(let first), .number(let second)): order(first, second)
    case (.bool(let first), .bool(let second)): order(first ? 1 : 0, second ? 1 : 0)
    case (.string(let first), .string(let second)):
      first == second ? 0 : order(collation.sortKey(of: first), collation.sortKey(of: second))
    case (.object, .object), (.array, .array): first == second ? 0 : nil
    default:
      // Inside an object the database compares the texts of values of different types.
      isNested ? order(text(first), text(second)) : nil
    }
  }

  private static func text(_ value: LoopbackValue) -> String {
    value.string ?? JSONWriter.text(of: value)
  }

  private static func order<Value: Comparable>(_ first: Value, _ second: Value) -> Int {
    first == second ? 0 : first < second ? -1 : 1
  }
}
