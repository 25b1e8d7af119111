// Ferry: offline-first sync for Parse Server. MIT licence.

/// Values by field name.
///
/// A field that is not there and a field that is `.null` mean the same to the server; here the
/// difference is kept, because "leave it" and "clear it" are different wishes.
public struct Fields: Sendable, Equatable {
  /// The values, by field name.
  public var values: [String: Value]

  /// Takes the values of a dictionary.
  public init(_ values: [String: Value] = [:]) { self.values = values }

  /// The value of a field; nil when it is not there.
  public subscript(name: String) -> Value? {
    get { values[name] }
    set { values[name] = newValue }
  }

  /// The field names, in the order of their text.
  public var names: [String] { values.keys.sorted() }

  /// Whether no field is there.
  public var isEmpty: Bool { values.isEmpty }

  /// The names of the fields whose value differs between the two; absent and null are equal.
  public func difference(from other: Fields) -> Set<String> {
    var names = Set<String>()
    for (name, value) in values where value != (other.values[name] ?? .null) { names.insert(name) }
    for (name, value) in other.values where values[name] == nil && !value.isNull {
      names.insert(name)
    }
    return names
  }

  /// These fields, with those of the other laid over them.
  public func merging(_ other: Fields) -> Fields {
    Fields(values.merging(other.values) { _, new in new })
  }

  /// Only the fields with these names.
  public func only(_ names: Set<String>) -> Fields {
    Fields(values.filter { names.contains($0.key) })
  }
}

extension Fields: ExpressibleByDictionaryLiteral {
  /// Values by field name; of a name given twice the last value counts.
  public init(dictionaryLiteral elements: (String, Value)...) {
    values = Dictionary(elements, uniquingKeysWith: { _, last in last })
  }
}
