// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// The writes that a dry run has accepted, and their effect on later answers.
///
/// An updated row appears with its new plain values and its new stamp; a deleted row does not
/// appear. A created row appears only in lookups by exact values of `objectId` or another field. It
/// never appears in a listing, where it would disturb order and end. Counts and results of
/// operations, such as increments, stay as the server sends them.
struct AcceptedWrites {
  private struct Key: Hashable {
    var className: String
    var objectID: String
  }

  private enum Row {
    /// The whole row.
    case created([String: Value])
    /// The differences from the server's row; null for a cleared field.
    case updated([String: Value])
    case deleted
  }

  private var rows: [Key: Row] = [:]
  /// Created rows in the order of creation, so that answers are always the same.
  private var created: [Key] = []
  private var classes: Set<String> = []

  var isEmpty: Bool { rows.isEmpty }

  func concerns(_ className: String) -> Bool { classes.contains(className) }

  /// Accepts one write and returns its answer.
  mutating func accept(
    _ operation: WriteOperation, now: Timestamp, makeID: () -> String
  ) -> [String: Value] {
    classes.insert(operation.className)
    let key = Key(
      className: operation.className, objectID: operation.objectID ?? makeID())
    let stamp = Value.string(now.description)
    switch operation {
    case .create(_, let body):
      var row = body.filter { ParseOperation(wire: $0.value) == nil }
      row["objectId"] = .string(key.objectID)
      row["createdAt"] = stamp
      row["updatedAt"] = stamp
      if rows.updateValue(.created(row), forKey: key) == nil { created.append(key) }
      return ["objectId": .string(key.objectID), "createdAt": stamp]
    case .update(_, _, let body):
      update(key, Self.patch(body).merging(["updatedAt": stamp]) { _, new in new })
      return ["updatedAt": stamp]
    // An answer lists whole members, and a plan asks for them before it sends any.
    case .addMember, .removeMember: return ["updatedAt": stamp]
    case .delete:
      rows[key] = .deleted
      created.removeAll { $0 == key }
      return [:]
    }
  }

  private mutating func update(_ key: Key, _ patch: [String: Value]) {
    switch rows[key] {
    case .created(let row): rows[key] = .created(Self.patched(row, with: patch))
    case .updated(let earlier): rows[key] = .updated(earlier.merging(patch) { _, new in new })
    case .deleted, nil: rows[key] = .updated(patch)
    }
  }

  /// The plain values of an update; null for a field that it clears.
  private static func patch(_ body: [String: Value]) -> [String: Value] {
    body.compactMapValues { value in
      switch ParseOperation(wire: value) {
      case nil: value
      case .delete: .null
      default: nil
      }
    }
  }

  private static func patched(_ row: [String: Value], with patch: [String: Value]) -> [String:
    Value]
  {
    row.merging(patch) { _, new in new }.filter { !$0.value.isNull }
  }
}

extension AcceptedWrites {
  /// The rows of an answer after the accepted writes.
  func overlaid(_ shown: [Value], className: String, where constraint: [String: Value]) -> [Value] {
    var rows: [Value] = []
    var ids = Set<String>()
    for row in shown {
      guard case .object(let members) = row, case .string(let id)? = members["objectId"] else {
        rows.append(row)
        continue
      }
      ids.insert(id)
      switch self.rows[Key(className: className, objectID: id)] {
      case .updated(let patch): rows.append(.object(Self.patched(members, with: patch)))
      case .created(let created): rows.append(.object(created))
      case .deleted: break
      case nil: rows.append(row)
      }
    }
    for key in created where key.className == className && !ids.contains(key.objectID) {
      if case .created(let row)? = self.rows[key], Self.looksUp(constraint, row) {
        rows.append(.object(row))
      }
    }
    return rows
  }

  /// Whether a query selects the row by exact values of some of its fields.
  private static func looksUp(_ constraint: [String: Value], _ row: [String: Value]) -> Bool {
    !constraint.isEmpty
      && constraint.allSatisfy { field, wanted in
        guard let value = row[field] else { return false }
        guard case .object(let operators) = wanted,
          operators.keys.contains(where: { $0.hasPrefix("$") })
        else { return value == wanted }
        guard operators.count == 1, case .array(let values)? = operators["$in"] else {
          return false
        }
        return values.contains(value)
      }
  }
}
