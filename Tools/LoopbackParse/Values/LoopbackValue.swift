// Ferry: offline-first sync for Parse Server. MIT licence.

/// A JSON value as it crosses the wire.
///
/// Rows, query conditions and answers are all made of these. Literals keep tests short:
///
/// ```swift
/// let game: LoopbackValue = ["title": "Semi-final", "goals": 3, "over": false]
/// game["goals"]  // .number(3)
/// ```
///
/// Numbers are doubles, as they are on a Parse Server.
public enum LoopbackValue: Hashable, Sendable {
  /// JSON's `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number; whole numbers are written without a fraction.
  case number(Double)
  /// A string.
  case string(String)
  /// An array.
  case array([LoopbackValue])
  /// An object; its keys have no order.
  case object([String: LoopbackValue])
}

extension LoopbackValue {
  /// The string in this value, or nil if it is something else.
  public var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The number in this value, or nil if it is something else.
  public var number: Double? {
    if case .number(let number) = self { number } else { nil }
  }

  /// The truth value in this value, or nil if it is something else.
  public var bool: Bool? {
    if case .bool(let flag) = self { flag } else { nil }
  }

  /// The elements of this array, or nil if the value is something else.
  public var array: [LoopbackValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The members of this object, or nil if the value is something else.
  public var object: [String: LoopbackValue]? {
    if case .object(let members) = self { members } else { nil }
  }

  /// The member of this name; nil if there is none or the value is not an object.
  ///
  /// - Parameter name: the member's name.
  public subscript(name: String) -> LoopbackValue? { object?[name] }

  /// Parse's `__type` of this object, such as `"Date"` or `"Pointer"`; nil for anything else.
  var typeName: String? { self["__type"]?.string }

  /// What JavaScript takes for true, which decides about flags in a request.
  var isTruthy: Bool {
    switch self {
    case .null: false
    case .bool(let flag): flag
    case .number(let number): number != 0 && !number.isNaN
    case .string(let text): !text.isEmpty
    case .array, .object: true
    }
  }
}

extension LoopbackValue {
  /// A date in Parse's form, `{"__type":"Date","iso":…}`.
  ///
  /// - Parameter iso: the moment, as `2024-05-01T10:00:00.000Z`.
  /// - Returns: the date as an object.
  public static func date(_ iso: String) -> LoopbackValue {
    ["__type": "Date", "iso": .string(iso)]
  }

  /// A pointer in Parse's form, `{"__type":"Pointer","className":…,"objectId":…}`.
  ///
  /// - Parameters:
  ///   - className: the class pointed to.
  ///   - objectId: the row pointed to; it need not exist.
  /// - Returns: the pointer as an object.
  public static func pointer(_ className: String, _ objectId: String) -> LoopbackValue {
    ["__type": "Pointer", "className": .string(className), "objectId": .string(objectId)]
  }
}

// Not by nil: an optional of a value would then read `nil` as null where missing is meant.
extension LoopbackValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// Makes a truth value.
  public init(booleanLiteral value: Bool) { self = .bool(value) }

  /// Makes a number without a fraction.
  public init(integerLiteral value: Int) { self = .number(Double(value)) }

  /// Makes a number.
  public init(floatLiteral value: Double) { self = .number(value) }

  /// Makes a string.
  public init(stringLiteral value: String) { self = .string(value) }

  /// Makes an array.
  public init(arrayLiteral elements: LoopbackValue...) { self = .array(elements) }

  /// Makes an object; of a name given twice the last value counts.
  public init(dictionaryLiteral elements: (String, LoopbackValue)...) {
    self = .object(Dictionary(elements) { _, last in last })
  }
}
