// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel
import FerryPlanning

/// A change of a field that the server computes from the stored value.
package enum ParseOperation: Sendable, Equatable {
  /// Adds a number; a field without a value counts as 0.
  case increment(by: Value)
  /// Appends to an array.
  case add([Value])
  /// Appends to an array the elements that it does not contain.
  case addUnique([Value])
  /// Removes all equal elements from an array.
  case remove([Value])
  /// Clears the field.
  case delete
  /// Adds records to a relation.
  case addRelation([Pointer])
  /// Removes records from a relation.
  case removeRelation([Pointer])

  init(_ operation: FieldOperation) {
    switch operation {
    case .increment(let amount): self = .increment(by: amount)
    case .addUnique(let elements): self = .addUnique(elements)
    case .remove(let elements): self = .remove(elements)
    }
  }

  /// The operation as it appears in a body: `{"__op":"Increment","amount":5}`.
  package var wire: Value {
    switch self {
    case .increment(let amount): ["__op": "Increment", "amount": amount]
    case .add(let values): ["__op": "Add", "objects": .array(values)]
    case .addUnique(let values): ["__op": "AddUnique", "objects": .array(values)]
    case .remove(let values): ["__op": "Remove", "objects": .array(values)]
    case .delete: ["__op": "Delete"]
    case .addRelation(let records): ["__op": "AddRelation", "objects": Self.pointers(records)]
    case .removeRelation(let records):
      ["__op": "RemoveRelation", "objects": Self.pointers(records)]
    }
  }

  /// Reads an operation; nil if Ferry does not know it.
  package init?(wire: Value) {
    guard case .object(let members) = wire, case .string(let name)? = members["__op"] else {
      return nil
    }
    var objects: [Value]?
    if case .array(let values)? = members["objects"] { objects = values }
    switch (name, objects) {
    case ("Delete", _): self = .delete
    case ("Increment", _):
      guard let amount = members["amount"], FieldType.number.accepts(amount), !amount.isNull else {
        return nil
      }
      self = .increment(by: amount)
    case ("Add", let values?): self = .add(values)
    case ("AddUnique", let values?): self = .addUnique(values)
    case ("Remove", let values?): self = .remove(values)
    case ("AddRelation", let values?): self = .addRelation(Self.records(values))
    case ("RemoveRelation", let values?): self = .removeRelation(Self.records(values))
    default: return nil
    }
  }

  private static func pointers(_ records: [Pointer]) -> Value { .array(records.map(Value.pointer)) }

  private static func records(_ values: [Value]) -> [Pointer] {
    values.compactMap { if case .pointer(let pointer) = $0 { pointer } else { nil } }
  }
}
