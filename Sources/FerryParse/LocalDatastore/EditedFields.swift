// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel
import FerryPlanning

/// The changes of a row by unsent edits of another library.
package struct EditedFields: Sendable, Equatable {
  /// A record that joins or leaves a relation.
  package struct Member: Sendable, Equatable {
    package var field: String
    package var record: Pointer
    package var isAdded: Bool
  }

  /// A field that stays as it is, and why.
  package struct Refusal: Sendable, Equatable {
    package var field: String
    package var reason: ObjectLeftOut.Reason
    package var detail: String?

    package init(field: String, reason: ObjectLeftOut.Reason, detail: String? = nil) {
      self.field = field
      self.reason = reason
      self.detail = detail
    }
  }

  /// The new values of the edited fields.
  package private(set) var values = Fields()
  /// The new access list; nil where it stays.
  package private(set) var accessList: Value?
  /// The changes of relations, in order.
  package private(set) var members: [Member] = []
  package private(set) var refusals: [Refusal] = []

  /// Whether the row itself changes.
  package var isEmpty: Bool { values.isEmpty && accessList == nil }

  /// Carries edits out, in order.
  ///
  /// - Parameters:
  ///   - edits: The edits, oldest first.
  ///   - row: The values before.
  ///   - entity: The class.
  package init(_ edits: [LocalEdit], of row: Fields, in entity: Entity) {
    for edit in edits {
      for name in edit.changes.keys.sorted() {
        guard let change = edit.changes[name] else { continue }
        apply(change, to: name, of: row, in: entity)
      }
    }
    // A field is edited as a whole, or later: a part of its edits would be carried out again with the rest.
    for refusal in refusals {
      values[refusal.field] = nil
      members.removeAll { $0.field == refusal.field }
      if refusal.field == "ACL" { accessList = nil }
    }
  }

  private mutating func apply(
    _ change: LocalEdit.Change, to name: String, of row: Fields, in entity: Entity
  ) {
    if name == "ACL" { return applyToAccessList(change) }
    guard let field = entity.field(name) else { return refuse(name, .unknownField) }
    switch change {
    case .refused(let reason, let detail): refuse(name, reason, detail)
    case .set(let value): set(field, value)
    case .operations(let operations):
      for operation in operations { apply(operation, to: field, of: row) }
    }
  }

  private mutating func applyToAccessList(_ change: LocalEdit.Change) {
    switch change {
    case .set(let value):
      guard case .object(let parties) = value else {
        return refuse("ACL", .wrongType, "The access list is no object.")
      }
      // The SDK writes so of a user who is not saved yet.
      guard parties["*unresolved"] == nil, parties["unresolvedUser"] == nil else {
        return refuse(
          "ACL", .unresolvedPointer, "The access list names a user who was never saved.")
      }
      accessList = value
    // A record without a list is open to everyone.
    case .operations([.delete]): accessList = AccessList.open.value
    case .operations: refuse("ACL", .wrongType, "The access list takes no such operation.")
    case .refused(let reason, let detail): refuse("ACL", reason, detail)
    }
  }

  private mutating func apply(_ operation: ParseOperation, to field: Field, of row: Fields) {
    let present = values[field.name] ?? row[field.name] ?? .null
    switch operation {
    case .delete: set(field, .null)
    case .increment(let amount):
      guard let sum = Increment.sum(present, amount, minus: .null) else {
        return refuse(field.name, .wrongType, "\(amount.json) cannot be added to its value.")
      }
      set(field, sum)
    case .add(let elements): set(field, present) { $0 + elements }
    case .addUnique(let elements):
      set(field, present) { $0 + elements.filter(Self.isNew(among: $0)) }
    case .remove(let elements): set(field, present) { $0.filter { !elements.contains($0) } }
    case .addRelation(let records): change(field, records, isAdded: true)
    case .removeRelation(let records): change(field, records, isAdded: false)
    }
  }

  private static func isNew(among elements: [Value]) -> (Value) -> Bool {
    { !elements.contains($0) }
  }

  private mutating func change(_ field: Field, _ records: [Pointer], isAdded: Bool) {
    guard case .relation(let target) = field.type, records.allSatisfy({ $0.className == target })
    else {
      return refuse(field.name, .wrongType, "It is no relation to the class of these records.")
    }
    members += records.map { Member(field: field.name, record: $0, isAdded: isAdded) }
  }

  private mutating func set(
    _ field: Field, _ present: Value, _ change: ([Value]) -> [Value]
  ) {
    switch present {
    case .null: set(field, .array(change([])))
    case .array(let elements): set(field, .array(change(elements)))
    default: refuse(field.name, .wrongType, "Its value is no list.")
    }
  }

  private mutating func set(_ field: Field, _ value: Value) {
    if case .relation = field.type {
      return refuse(field.name, .wrongType, "A relation takes no value.")
    }
    if let refusal = value.reason(againstWritingTo: field.type) {
      return refuse(field.name, .wrongType, refusal.sentence)
    }
    values[field.name] = value.normalized(for: field.type)
  }

  private mutating func refuse(
    _ field: String, _ reason: ObjectLeftOut.Reason, _ detail: String? = nil
  ) {
    guard !refusals.contains(where: { $0.field == field && $0.reason == reason }) else { return }
    refusals.append(Refusal(field: field, reason: reason, detail: detail))
  }
}
