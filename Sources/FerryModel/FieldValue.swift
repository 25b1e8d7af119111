// Ferry: offline-first sync for Parse Server. MIT licence.

public import Foundation

/// A Swift type whose values are compared with those of a field.
///
/// An enumeration with raw values conforms by its declaration alone:
///
/// ```swift
/// enum Kind: String, FieldValue, Codable { case cup, league }
/// ```
public protocol FieldValue {
  /// The value as a field has it; null for no value.
  var fieldValue: Value { get }
}

extension FieldValue where Self: RawRepresentable, RawValue: FieldValue {
  /// The raw value.
  public var fieldValue: Value { rawValue.fieldValue }
}

extension String: FieldValue {
  /// Text.
  public var fieldValue: Value { .string(self) }
}

extension Int: FieldValue {
  /// A whole number.
  public var fieldValue: Value { .integer(Int64(self)) }
}

extension Int64: FieldValue {
  /// A whole number.
  public var fieldValue: Value { .integer(self) }
}

extension Double: FieldValue {
  /// A number.
  public var fieldValue: Value { .number(self) }
}

extension Bool: FieldValue {
  /// True or false.
  public var fieldValue: Value { .boolean(self) }
}

extension Date: FieldValue {
  /// An instant, to the millisecond.
  public var fieldValue: Value { .date(Timestamp(self)) }
}

extension Timestamp: FieldValue {
  /// An instant.
  public var fieldValue: Value { .date(self) }
}

extension Data: FieldValue {
  /// Bytes.
  public var fieldValue: Value { .bytes([UInt8](self)) }
}

extension Pointer: FieldValue {
  /// A reference to a record.
  public var fieldValue: Value { .pointer(self) }
}

extension GeoPoint: FieldValue {
  /// A place on earth.
  public var fieldValue: Value { .geoPoint(self) }
}

extension LocalID: FieldValue {
  /// The number of the row.
  public var fieldValue: Value { .integer(rawValue) }
}

extension Value: FieldValue {
  /// The value itself.
  public var fieldValue: Value { self }
}

extension Optional: FieldValue where Wrapped: FieldValue {
  /// The value; null for nil.
  public var fieldValue: Value { self?.fieldValue ?? .null }
}
