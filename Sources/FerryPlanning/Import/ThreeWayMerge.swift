// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// Merges the unsent changes of a row with the server's present record, field by field.
///
/// A pure function that decides by content alone. If one side changed a field, that side's value
/// stays. If both changed it to the same value, there is no conflict. If both changed it to
/// different values, the field's merge brings them together. Without one, or where they collide, the class's
/// policy decides. Losing values are in `losses`.
package struct ThreeWayMerge {
  package let entity: Entity
  package let policy: ConflictPolicy
  /// Declared fields that no complete listing has returned yet.
  ///
  /// The server's values are unknown, so these fields have no conflicts, but for edits that began with a
  /// value of the server.
  package var unknownFields: Set<String> = []
  /// The fields that complete listings have returned at any time.
  ///
  /// An edit of such a field began with what the server had, also where that was no value.
  package var everListedFields: Set<String> = []

  package init(
    entity: Entity, policy: ConflictPolicy, unknownFields: Set<String> = [],
    everListedFields: Set<String> = []
  ) {
    self.entity = entity
    self.policy = policy
    self.unknownFields = unknownFields
    self.everListedFields = everListedFields
  }

  /// Values that one side loses, and the reason.
  package struct Loss: Equatable {
    package enum Side: Int { case local, remote }
    package var reason: ConflictRecord.Reason
    package var side: Side
    package var fields: Fields
    /// The values that stay instead.
    package var kept: Fields
  }

  package struct Outcome: Equatable {
    /// The row's values after the merge, one for each field of the entity.
    package var values: [Value]
    /// The row's access list after the merge.
    package var acl: Value = .null
    /// The fields that still have to be sent.
    package var changed: Set<String>
    package var losses: [Loss] = []
    /// The fields that both sides changed to different values.
    package var conflicts: Set<String> = []
    /// The first mistake of the app's resolver, as a sentence; nil for none.
    package var resolverFailure: String?
  }

  /// Merges a row with the server's values of the fields and its access list.
  package func merge(_ entry: OutboxEntry, row: Record, remote: [Value], acl: Value) -> Outcome {
    var outcome = Outcome(values: remote, acl: acl, changed: entry.changed)
    let undecided = entry.undecidedFields
    for (index, field) in entity.fields.enumerated() where entry.changed.contains(field.name) {
      let local = row[field.name]
      guard !undecided.contains(field.name) else {
        outcome.values[index] = local
        continue
      }
      if isLocal(field, local, remote[index], entry, in: &outcome) {
        outcome.values[index] = local
      } else if outcome.conflicts.contains(field.name),
        let merged = merged(field, local, remote[index], entry)
      {
        outcome.conflicts.remove(field.name)
        outcome.values[index] = merged
        if merged == remote[index], !entry.isOpen(field.name) { outcome.changed.remove(field.name) }
      }
    }
    let isListKept =
      entry.changed.contains(Fields.accessList) && keepsList(of: row, acl, entry, in: &outcome)
    if isListKept || saysListAgain(row, acl, entry) { outcome.acl = row.acl }
    if !outcome.conflicts.isEmpty { decide(entry, row, remote, acl, in: &outcome) }
    return outcome
  }

  /// Whether the local value of a field stays, because the server's side did not change it.
  ///
  /// It notes that nothing is left to send, and that the field is in conflict.
  private func isLocal(
    _ field: Field, _ local: Value, _ remote: Value, _ entry: OutboxEntry, in outcome: inout Outcome
  ) -> Bool {
    if field.merge == .increment {
      // Equal values are two additions, and of a value that was missing nothing need be known.
      outcome.conflicts.insert(field.name)
    } else if local == remote {
      if !entry.isOpen(field.name) { outcome.changed.remove(field.name) }
    } else if isUnknown(field, entry, remote) || entry.isRemoteUnchanged(field.name, remote) {
      return true
    } else if entry.rewritten.contains(field.name) {
      // Nobody edited the field here: the engine replaced an id in it.
      outcome.changed.remove(field.name)
    } else {
      outcome.conflicts.insert(field.name)
    }
    return false
  }

  /// The value that the field's merge makes of both; nil without a merge, and where both sides collide.
  private func merged(
    _ field: Field, _ local: Value, _ remote: Value, _ entry: OutboxEntry
  ) -> Value? {
    guard let merge = field.merge else { return nil }
    let (known, sent) = entry.knownArray(of: field.name, shownBy: remote)
    let base = merge.origin(of: remote, base: known, sent: sent, isCreated: entry.kind == .create)
    // An edit of this side alone stays, also one that no server takes: the upload parks it with the reason.
    guard let merged = merge.merge(base: base, local: local, remote: remote),
      base == remote || merged.reason(againstWritingTo: field.type) == nil
    else { return nil }
    return merged.normalized(for: field.type)
  }

  /// Whether the access list of the row stays, as `isLocal` says of a field.
  ///
  /// A row without a list says nothing of it. An edit without a base began before anybody knew the server's list, which is
  /// taken for the open one.
  private func keepsList(
    of row: Record, _ acl: Value, _ entry: OutboxEntry, in outcome: inout Outcome
  ) -> Bool {
    let (local, served) = (row.acl.comparableAccessList, acl.servedAccessList)
    if local.isNull { return isLocal(.accessList, served, served, entry, in: &outcome) }
    let isUnknown = (entry.base[Fields.accessList] ?? .null).isNull
    if isUnknown, local != served, served == AccessList.open.value { return true }
    return isLocal(.accessList, local, served, entry, in: &outcome)
  }

  /// Whether a row keeps its list although the server has the same one.
  ///
  /// A record without a list is open, and a row without one says nothing. While an attempt may still bring another list to the
  /// server, the row says which one the app wants.
  private func saysListAgain(_ row: Record, _ acl: Value, _ entry: OutboxEntry) -> Bool {
    !row.acl.isNull && row.acl.comparableAccessList == acl.servedAccessList
      && entry.attempts.contains { $0.carried[Fields.accessList] != nil }
  }

  /// Whether a field is unknown, and the server's value is no other client's change.
  ///
  /// An earlier version of the app may have known the field, so that an edit began with the server's
  /// value. A record without a value may have been created again by a version that did not know it.
  private func isUnknown(_ field: Field, _ entry: OutboxEntry, _ remote: Value) -> Bool {
    guard unknownFields.contains(field.name) else { return false }
    let began = entry.base[field.name] ?? .null
    return remote.isNull || began.isNull && !everListedFields.contains(field.name)
  }

  /// Asks the policy about the fields in conflict, and notes the losses.
  private func decide(
    _ entry: OutboxEntry, _ row: Record, _ remote: [Value], _ acl: Value, in outcome: inout Outcome
  ) {
    let record = conflict(entry, row, remote, acl, in: outcome.conflicts)
    let fields = (entity.fields + [.accessList]).filter { outcome.conflicts.contains($0.name) }
    for (field, decision) in zip(fields, policy.decide(record, of: fields)) {
      let conflict = record.conflict(in: field.name)
      let value = decision.value(of: conflict)
      if let position = entity.positions[field.name] {
        outcome.values[position] = value
      } else if value != conflict.remote {
        outcome.acl = value
      }
      if value != conflict.local {
        outcome.lose(conflict.local, to: value, of: field.name, .local, decision.reason)
      }
      if value == conflict.remote {
        outcome.changed.remove(field.name)
      } else {
        outcome.lose(conflict.remote, to: value, of: field.name, .remote, decision.reason)
      }
      if case .failed(let sentence) = decision, outcome.resolverFailure == nil {
        outcome.resolverFailure = sentence
      }
    }
  }

  private func conflict(
    _ entry: OutboxEntry, _ row: Record, _ remote: [Value], _ acl: Value, in fields: Set<String>
  ) -> RecordConflict {
    var conflict = RecordConflict(
      record: row.reference, fields: fields, base: [:], local: [:], remote: [:])
    func add(_ name: String, _ local: Value, _ remote: Value) {
      // A field that was not edited still has the server's earlier value.
      conflict.base[name] = entry.changed.contains(name) ? entry.base[name] ?? .null : local
      conflict.local[name] = local
      conflict.remote[name] = remote
    }
    for (field, value) in zip(entity.fields, remote) { add(field.name, row[field.name], value) }
    if fields.contains(Fields.accessList) {
      add(Fields.accessList, row.acl.comparableAccessList, acl.servedAccessList)
    }
    return conflict
  }
}

extension Field {
  /// The access list, where a merge takes it for a field.
  fileprivate static let accessList = Field(Fields.accessList, .object)
}

extension ThreeWayMerge.Outcome {
  fileprivate mutating func lose(
    _ value: Value, to kept: Value, of field: String, _ side: ThreeWayMerge.Loss.Side,
    _ reason: ConflictRecord.Reason
  ) {
    if let index = losses.firstIndex(where: { $0.reason == reason && $0.side == side }) {
      losses[index].fields[field] = value
      losses[index].kept[field] = kept
    } else {
      losses.append(
        ThreeWayMerge.Loss(
          reason: reason, side: side, fields: [field: value], kept: [field: kept]))
    }
  }
}
