// Ferry: offline-first sync for Parse Server. MIT licence.

extension Value: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// Text.
  public init(stringLiteral value: String) { self = .string(value) }
  /// A whole number.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// A number with a fraction.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// True or false.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  /// No value.
  public init(nilLiteral: ()) { self = .null }
  /// A JSON array.
  public init(arrayLiteral elements: Value...) { self = .array(elements) }
  /// A JSON object; of a key given twice the last value counts.
  public init(dictionaryLiteral elements: (String, Value)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { _, last in last }))
  }
}
