// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryParse
import Foundation

/// A JSON value as a plain tree, for comparing readers.
indirect enum JSONTree: Hashable {
  case null
  case boolean(Bool)
  case number(Double)
  case string(String)
  case array([JSONTree])
  case object([String: JSONTree])

  init(_ element: JSONElement) {
    switch element.kind {
    case .null: self = .null
    case .boolean: self = .boolean(element.boolean ?? false)
    case .number: self = .number(element.double ?? .nan)
    case .string: self = .string(element.string ?? "")
    case .array: self = .array(element.array?.map { JSONTree($0) } ?? [])
    case .object:
      let members = element.object?.map { ($0.name, JSONTree($0.value)) } ?? []
      self = .object(Dictionary(members, uniquingKeysWith: { first, _ in first }))
    }
  }

  /// On some platforms, Foundation's older reader does not distinguish booleans from numbers.
  init(serialized value: Any) {
    switch value {
    case let value as String: self = .string(value)
    case let value as [Any]: self = .array(value.map { JSONTree(serialized: $0) })
    case let value as [String: Any]: self = .object(value.mapValues { JSONTree(serialized: $0) })
    case let value as NSNumber: self = .number(value.doubleValue)
    default: self = .null
    }
  }

  var withBooleansAsNumbers: JSONTree {
    switch self {
    case .boolean(let value): .number(value ? 1 : 0)
    case .array(let values): .array(values.map(\.withBooleansAsNumbers))
    case .object(let values): .object(values.mapValues(\.withBooleansAsNumbers))
    default: self
    }
  }
}

extension JSONTree: Decodable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSONTree].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONTree].self))
    }
  }
}
