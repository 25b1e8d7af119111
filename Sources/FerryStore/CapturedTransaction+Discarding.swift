// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel
import FerryPlanning

// An unsent change is taken back by an edit of the app, never by a change of the outbox. So the app may take one back
// between any two steps of a sync, and folding finds that nothing is left to send.
extension CapturedTransaction {
  package func discardChange(of className: String, localID: LocalID) throws(StoreError) -> Bool {
    let entity = try schema.registered(className)
    let key = RecordKey(className: className, localID: localID)
    guard let entry = try pendingEntry(of: key), entry.isUnsent else { return false }
    guard let edit = try edit(discarding: entry) else { throw .beingSent(entry) }
    return try carryOut(edit, on: entry, of: entity)
  }

  package func discardChanges(of className: String?) throws(StoreError) -> Int {
    if let className { _ = try schema.registered(className) }
    var entries: [OutboxEntry] = []
    try forEachPendingEntry(of: className) { if $0.isUnsent { entries.append($0) } }
    var count = 0
    for entry in entries {
      guard let entity = schema.entity(entry.className), let edit = try edit(discarding: entry),
        try carryOut(edit, on: entry, of: entity)
      else { continue }
      count += 1
    }
    return count
  }

  private func edit(discarding entry: OutboxEntry) throws(StoreError) -> DiscardingEdit? {
    guard case .insert(let base) = entry.discardingEdit else { return entry.discardingEdit }
    return .insert(try knownToFormerDelete(of: entry).merging(base))
  }

  /// What an earlier delete of the record knew of the server, also of fields that its program did not declare.
  private func knownToFormerDelete(of entry: OutboxEntry) throws(StoreError) -> Fields {
    let stored = try outboxEntries(of: entry.className, objectIDs: [entry.objectID])
    guard var former = stored.first, former.kind == .delete else { return Fields() }
    let deleted = try deletedFields(of: entry.className, objectIDs: [entry.objectID])
    former.complete(with: deleted[entry.objectID] ?? Fields())
    return former.base
  }

  /// - Returns: Whether the row changed. A trigger of the app may have changed it meanwhile.
  private func carryOut(
    _ edit: DiscardingEdit, on entry: OutboxEntry, of entity: Entity
  ) throws(StoreError) -> Bool {
    let row = try record(of: entry.className, localID: entry.localID)
    let isPresent = row?.objectID == entry.objectID
    switch edit {
    case .delete where isPresent: try delete(entry.className, entry.localID)
    case .update(let fields) where isPresent: try update(entry.className, entry.localID, fields)
    case .insert(let fields)
    where try record(of: entry.className, objectID: entry.objectID) == nil:
      try insertAgain(
        RecordReference(
          className: entry.className, localID: entry.localID, objectID: entry.objectID),
        fields.filled(for: entity))
    case .none, .delete, .update, .insert: return false
    }
    return true
  }
}

extension Fields {
  /// The same, with a null for each writable field that has no value: an insert gives no default to it.
  fileprivate func filled(for entity: Entity) -> Fields {
    var fields = Fields()
    for field in entity.fields {
      if case .relation = field.type { continue }
      fields[field.name] = self[field.name] ?? .null
    }
    return fields
  }
}

extension StoreError {
  /// The outcome of a request with the change is unknown.
  fileprivate static func beingSent(_ entry: OutboxEntry) -> StoreError {
    StoreError(
      .beingSent,
      "The change of the row \(entry.localID) of \(entry.className) was sent, and no answer says yet whether the "
        + "server has it. So nothing was discarded. Sync first; then discard what is still unsent.")
  }
}
