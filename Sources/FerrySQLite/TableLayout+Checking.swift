// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore

extension TableLayout {
  /// Refuses what the class cannot hold or the server would change.
  func check(_ fields: Fields) throws {
    for (name, value) in fields.values {
      guard let field = entity.field(name) else {
        throw StoreError(
          .unknownField,
          "The class \(entity.name) has no field \(name). Nothing was changed. Add it to the "
            + "schema, or check the spelling.")
      }
      guard field.type.accepts(value) else {
        throw StoreError(
          .wrongType,
          "The field \(name) of \(entity.name) holds \(TableDefinition.typeName(field.type)), and "
            + "another kind of value was given. Nothing was changed. Give a value of that type.")
      }
      guard value.isExact else {
        throw StoreError(
          .numberTooLarge,
          "The field \(name) of \(entity.name) was given a whole number beyond ±2^53, which the "
            + "server would change. Nothing was changed. Keep such numbers as text.")
      }
    }
  }
}

extension Value {
  /// Whether every whole number in it survives the server, which knows doubles only.
  fileprivate var isExact: Bool {
    switch self {
    case .integer(let number): number.magnitude <= 1 << 53
    case .array(let elements): elements.allSatisfy(\.isExact)
    case .object(let members): members.values.allSatisfy(\.isExact)
    default: true
    }
  }
}
