// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// How Swift's coders write the types of Parse that stand in a `Value` as one.
enum CodedForm {
  /// A record's fields: a date, a pointer, bytes, a place or a file becomes that kind of value, and a
  /// missing optional becomes null.
  case record
  /// The parameters and the result of a function of Cloud Code: as in a record, but a missing optional is left out, and a
  /// date may be a text, as a record's `createdAt` is.
  case function
  /// Ferry's own notes: such a type is written in the form of its own `Codable` conformance, and a missing
  /// optional is left out.
  case notes
  /// A row of SQL: a date is a text, a truth value is 0 or 1, and JSON of a column is in the form of a record's field.
  case columns

  /// The value that a Swift value becomes as one; nil if it is encoded part by part.
  func wholeValue<Encoded: Encodable>(_ value: Encoded) -> Value? {
    if Encoded.self == Value.self { return value as? Value }
    if Encoded.self == [String: Value].self { return (value as? [String: Value]).map(Value.object) }
    guard isWhole(Encoded.self) else { return nil }
    return switch value {
    case let value as Timestamp: .date(value)
    case let value as Date: .date(Timestamp(value))
    case let value as Data: .bytes([UInt8](value))
    case let value as Pointer: .pointer(value)
    case let value as GeoPoint: .geoPoint(value)
    case let value as File: .file(value)
    case let value as URL: .string(value.absoluteString)
    default: nil
    }
  }

  /// The Swift value that a value becomes as one; nil if it has another type.
  func whole<Decoded: Decodable>(_ type: Decoded.Type, from value: Value) -> Decoded? {
    if type == Value.self { return field(value) as? Decoded }
    if type == [String: Value].self, case .object(let members) = value {
      return members.mapValues(field) as? Decoded
    }
    guard isWhole(type) else { return nil }
    switch self {
    case .columns: if let whole = wholeOfColumn(type, value) { return whole }
    case .function: if let whole = wholeOfText(type, value) { return whole }
    case .record, .notes: break
    }
    let whole: Any? =
      switch value {
      case .date(let time): type == Date.self ? time.date : time
      case .bytes(let bytes): Data(bytes)
      case .pointer(let pointer): pointer
      case .geoPoint(let point): point
      case .file(let file): file
      case .string(let text): type == URL.self ? URL(string: text) : nil
      case .null, .integer, .number, .boolean, .object, .array, .polygon, .relation: nil
      }
    return whole as? Decoded
  }

  /// The Swift value of a column that has another form in SQL than in a record.
  private func wholeOfColumn<Decoded: Decodable>(
    _ type: Decoded.Type, _ value: Value
  ) -> Decoded? {
    switch value {
    case .bytes(let bytes) where type == [UInt8].self: return bytes as? Decoded
    case .string(var text):
      if type == Date.self || type == Timestamp.self {
        let time = text.withUTF8 { Timestamp(sql: $0) }
        return type == Date.self ? time?.date as? Decoded : time as? Decoded
      }
      return json(in: value).flatMap { CodedForm.record.whole(type, from: $0) }
    default: return nil
    }
  }

  /// The date that a function's result has as a text.
  private func wholeOfText<Decoded: Decodable>(_ type: Decoded.Type, _ value: Value) -> Decoded? {
    guard type == Date.self || type == Timestamp.self, case .string(let text) = value else {
      return nil
    }
    let time = Timestamp(text)
    return type == Date.self ? time?.date as? Decoded : time as? Decoded
  }

  /// The object or list that a column of SQL holds as JSON; nil for any other value, and in other forms.
  func json(in value: Value) -> Value? {
    guard self == .columns, case .string(let text) = value else { return nil }
    return Value(wireJSON: text)
  }

  /// In a note, `JSONText` has read each relation as a plain object, because it does not know where fields are.
  private func field(_ value: Value) -> Value {
    guard self == .notes, case .object(let members) = value, members["__type"] != nil else {
      return value
    }
    return Value(wireObject: members) ?? value
  }

  /// Whether a type stands in a `Value` as one.
  func isWhole(_ type: Any.Type) -> Bool {
    switch self {
    case .notes: false
    case .columns: type == [UInt8].self || CodedForm.record.isWhole(type)
    case .record, .function:
      type == Timestamp.self || type == Date.self || type == Data.self || type == Pointer.self
        || type == GeoPoint.self || type == File.self || type == URL.self
    }
  }
}
