// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// A place that an encoder fills with a value.
final class ValueNode {
  private enum Content {
    case value(Value)
    case array([ValueNode])
    case object([String: ValueNode])
  }

  private var content = Content.value(.null)

  var value: Value {
    switch content {
    case .value(let value): value
    case .array(let elements): .array(elements.map(\.value))
    case .object(let members): .object(members.mapValues(\.value))
    }
  }

  var count: Int { if case .array(let elements) = content { elements.count } else { 0 } }

  func set(_ value: Value) { content = .value(value) }

  func beginObject() { if case .object = content {} else { content = .object([:]) } }

  func beginArray() { if case .array = content {} else { content = .array([]) } }

  func member(_ name: String) -> ValueNode {
    let node = ValueNode()
    if case .object(var members) = content {
      content = .value(.null)
      members[name] = node
      content = .object(members)
    }
    return node
  }

  func element() -> ValueNode {
    let node = ValueNode()
    if case .array(var elements) = content {
      content = .value(.null)
      elements.append(node)
      content = .array(elements)
    }
    return node
  }

  /// Fills the place; Parse's own types stay whole.
  func encode(_ value: some Encodable, _ codingPath: [any CodingKey]) throws {
    switch value {
    case let value as Value: set(value)
    case let value as Timestamp: set(.date(value))
    case let value as Date: set(.date(Timestamp(value)))
    case let value as Data: set(.bytes([UInt8](value)))
    case let value as Pointer: set(.pointer(value))
    case let value as GeoPoint: set(.geoPoint(value))
    case let value as File: set(.file(value))
    case let value as URL: set(.string(value.absoluteString))
    default: try value.encode(to: ValueEncoder(self, codingPath: codingPath))
    }
  }

  func encodeInteger(_ value: some FixedWidthInteger, _ codingPath: [any CodingKey]) throws {
    guard let integer = Int64(exactly: value) else {
      throw EncodingError.invalidValue(
        value, .init(codingPath: codingPath, debugDescription: "\(value) is too large."))
    }
    set(.integer(integer))
  }
}
