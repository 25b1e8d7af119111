// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import LoopbackParse

/// The value of a field as a world and its oracle see it: a stamp of who wrote it, or the name of a row.
public enum Content: Hashable, Sendable {
  /// No value.
  case empty
  /// A text, such as the stamp `A17`.
  case text(String)
  /// A number, a stamp as well.
  case number(Int)
  /// A number with a half, which no device can read: the field is declared as a whole number.
  case half(Int)
  /// Whether a row is marked as deleted.
  case flag(Bool)
  /// A pointer to the row of a name.
  case row(String)
}

extension Content {
  /// A value of a device's row; `name` says which row has an id.
  init(_ value: Value, name: (Pointer) -> String) {
    self =
      switch value {
      case .string(let text): .text(text)
      case .integer(let number): .number(Int(number))
      case .number(let number): Self.number(number)
      case .boolean(let flag): .flag(flag)
      case .pointer(let pointer): .row(name(pointer))
      default: .empty
      }
  }

  /// A value of a server's row.
  init(_ value: LoopbackValue, name: (Pointer) -> String) {
    self =
      switch value {
      case .string(let text): .text(text)
      case .number(let number): Self.number(number)
      case .bool(let flag): .flag(flag)
      case .object(let members):
        .row(
          name(
            Pointer(
              className: members["className"]?.string ?? "",
              objectID: members["objectId"]?.string ?? "")))
      case .null, .array: .empty
      }
  }

  private static func number(_ number: Double) -> Content {
    number == number.rounded() ? .number(Int(number)) : .half(Int(number.rounded(.down)))
  }

  /// The value for a device's row; nil where the row that it points to is not known there.
  func value(pointer: (String) -> Pointer?) -> Value? {
    switch self {
    case .empty: .null
    case .text(let text): .string(text)
    case .number(let number): .integer(Int64(number))
    case .half(let number): .number(Double(number) + 0.5)
    case .flag(let flag): .boolean(flag)
    case .row(let name): pointer(name).map(Value.pointer)
    }
  }

  /// The value for a server's row; nil where the server has no row to point to.
  func loopbackValue(pointer: (String) -> Pointer?) -> LoopbackValue? {
    switch self {
    case .empty: ["__op": "Delete"]
    case .text(let text): .string(text)
    case .number(let number): .number(Double(number))
    case .half(let number): .number(Double(number) + 0.5)
    case .flag(let flag): .bool(flag)
    case .row(let name): pointer(name).map { .pointer($0.className, $0.objectID) }
    }
  }

  /// As a story writes it.
  var text: String {
    switch self {
    case .empty: "none"
    case .text(let text): "\"\(text)\""
    case .number(let number): "\(number)"
    case .half(let number): "\(number).5"
    case .flag(let flag): "\(flag)"
    case .row(let name): name
    }
  }
}
