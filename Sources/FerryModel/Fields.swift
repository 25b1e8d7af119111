// Ferry: offline-first sync for Parse Server. MIT licence.

/// Values by field name.
///
/// To the server, a missing field and a field that is `.null` mean the same. In an edit they
/// differ: a missing field stays as it is, and `.null` clears the field.
public struct Fields: Sendable, Equatable {
  /// The values, by field name.
  public var values: [String: Value]

  /// Takes the values of a dictionary.
  public init(_ values: [String: Value] = [:]) { self.values = values }

  /// The value of a field; nil if the field is missing.
  public subscript(name: String) -> Value? {
    get { values[name] }
    set { values[name] = newValue }
  }

  /// The field names in text order.
  public var names: [String] { values.keys.sorted() }

  /// Whether there are no fields.
  public var isEmpty: Bool { values.isEmpty }

  /// The names of the fields whose values differ; a missing field equals null.
  public func difference(from other: Fields) -> Set<String> {
    var names = Set<String>()
    for (name, value) in values where value != (other.values[name] ?? .null) { names.insert(name) }
    for (name, value) in other.values where values[name] == nil && !value.isNull {
      names.insert(name)
    }
    return names
  }

  /// These fields, overwritten by the fields of the other.
  public func merging(_ other: Fields) -> Fields {
    if values.isEmpty || other.values.isEmpty { return values.isEmpty ? other : self }
    return Fields(values.merging(other.values) { _, new in new })
  }

  /// Only the fields with these names.
  public func only(_ names: Set<String>) -> Fields {
    Fields(values.filter { names.contains($0.key) })
  }
}

extension Fields: ExpressibleByDictionaryLiteral {
  /// Values by field name; if a name is given twice, the last value counts.
  public init(dictionaryLiteral elements: (String, Value)...) {
    values = Dictionary(elements, uniquingKeysWith: { _, last in last })
  }
}
