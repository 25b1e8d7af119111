// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// Merges the unsent changes of a row with the server's present record, field by field.
///
/// A pure function that decides by content alone. If one side changed a field, that side's value
/// stays. If both changed it to the same value, there is no conflict. If both changed it to
/// different values, the class's policy decides. Losing values are in `losses`.
package struct ThreeWayMerge {
  package let entity: Entity
  package let policy: ConflictPolicy
  /// Declared fields that no complete listing has returned yet.
  ///
  /// The server's values are unknown, so these fields have no conflicts.
  package var unknownFields: Set<String> = []

  /// Values that one side loses, and the reason.
  package struct Loss: Equatable {
    package enum Side: Int { case local, remote }
    package var reason: ConflictRecord.Reason
    package var side: Side
    package var fields: Fields
  }

  package struct Outcome: Equatable {
    /// The row's values after the merge, one for each field of the entity.
    package var values: [Value]
    /// The fields that still have to be sent.
    package var changed: Set<String>
    package var losses: [Loss] = []
    /// The fields that both sides changed to different values.
    package var conflicts: Set<String> = []
  }

  package func merge(_ entry: OutboxEntry, row: Record, remote: [Value]) -> Outcome {
    var outcome = Outcome(values: remote, changed: entry.changed)
    for (index, field) in entity.fields.enumerated() where entry.changed.contains(field.name) {
      let sides = Sides(local: row[field.name], remote: remote[index])
      resolve(field, sides, entry, row, at: index, in: &outcome)
    }
    return outcome
  }

  private struct Sides {
    var local: Value
    var remote: Value
  }

  private func resolve(
    _ field: Field, _ sides: Sides, _ entry: OutboxEntry, _ row: Record, at index: Int,
    in outcome: inout Outcome
  ) {
    if sides.local == sides.remote {
      if !entry.isOpen(field.name) { outcome.changed.remove(field.name) }
    } else if unknownFields.contains(field.name)
      || entry.isRemoteUnchanged(field.name, sides.remote)
    {
      outcome.values[index] = sides.local
    } else if entry.rewritten.contains(field.name) {
      // Nobody edited the field here: the engine replaced an id in it.
      outcome.changed.remove(field.name)
    } else {
      outcome.conflicts.insert(field.name)
      let conflict = Conflict(
        record: row.reference, field: field.name, base: entry.base[field.name] ?? .null,
        local: sides.local, remote: sides.remote)
      let decision = decide(conflict, field)
      outcome.values[index] = decision.value
      if decision.value != sides.local {
        outcome.lose(sides.local, of: field.name, .local, decision.reason)
      }
      if decision.value == sides.remote {
        outcome.changed.remove(field.name)
      } else {
        outcome.lose(sides.remote, of: field.name, .remote, decision.reason)
      }
    }
  }

  private func decide(
    _ conflict: Conflict, _ field: Field
  ) -> (value: Value, reason: ConflictRecord.Reason) {
    let choice: FieldChoice
    switch policy {
    case .remoteWins: choice = .remote
    case .localWins: choice = .local
    case .mergeFields(let choices): choice = choices[field.name] ?? .remote
    case .resolve(let resolver):
      let value = resolver(conflict)
      // A value that the field cannot hold is no decision.
      guard field.type.accepts(value) else { return (conflict.remote, .remoteWon) }
      return (value, .resolved)
    }
    return choice == .remote ? (conflict.remote, .remoteWon) : (conflict.local, .localWon)
  }
}

extension ThreeWayMerge.Outcome {
  fileprivate mutating func lose(
    _ value: Value, of field: String, _ side: ThreeWayMerge.Loss.Side,
    _ reason: ConflictRecord.Reason
  ) {
    if let index = losses.firstIndex(where: { $0.reason == reason && $0.side == side }) {
      losses[index].fields[field] = value
    } else {
      losses.append(ThreeWayMerge.Loss(reason: reason, side: side, fields: [field: value]))
    }
  }
}
