// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel
import FerryPlanning

// An unsent change is taken back by an edit of the app, never by a change of the outbox. So the app may take one back
// between any two steps of a sync, and folding finds that nothing is left to send.
extension CapturedTransaction {
  package func discardChange(of className: String, localID: LocalID) throws(StoreError) -> Bool {
    _ = try schema.registered(className)
    let key = RecordKey(className: className, localID: localID)
    guard let entry = try pendingEntry(of: key), entry.isUnsent else { return false }
    return try Discard(entry, in: self).perform(in: self)
  }

  package func discardChanges(of className: String?) throws(StoreError) -> Int {
    if let className { _ = try schema.registered(className) }
    var discards: [Discard] = []
    try forEachPendingEntry(of: className) { entry throws(StoreError) in
      guard entry.isUnsent, schema.entity(entry.className) != nil else { return }
      do throws(StoreError) {
        discards.append(try Discard(entry, in: self))
      } catch {
        guard error.code == .beingSent || error.code == .cannotDiscard else { throw error }
      }
    }
    var count = 0
    // A row that comes back may need what a new row or an edit holds now, such as a unique value.
    for step in ReversingEdit.Step.allCases {
      for discard in discards where discard.edit.step == step {
        count += try discard.perform(in: self) ? 1 : 0
      }
    }
    return count
  }
}

/// The edit that takes an entry's change back.
private struct Discard {
  let entry: OutboxEntry
  let edit: ReversingEdit

  /// - Throws: `beingSent` or `cannotDiscard` for a change that nobody may take back.
  init(_ entry: OutboxEntry, in transaction: any CapturedTransaction) throws(StoreError) {
    self.entry = entry
    let entity = try transaction.schema.registered(entry.className)
    guard let edit = entry.reversingEdit else {
      guard entry.undecidedFields.isEmpty else { throw .additionInDoubt(entry) }
      throw entry.isUndecidable ? .undecidable(entry) : .beingSent(entry)
    }
    switch edit {
    case .none, .delete: self.edit = edit
    case .update(let fields):
      if case .softDelete(let mark) = entity.deletionStrategy, fields[mark] == true {
        throw .deletedOnServer(entry)
      }
      let declared = fields.only(entity.contentNames)
      self.edit = declared.isEmpty ? .none : .update(try entry.writable(declared, entity))
    case .insert(let base, _):
      guard try !transaction.hasUndeclaredFields(in: entry.className) else {
        throw .needsOtherProgram(entry)
      }
      var known = try transaction.knownToFormerDelete(of: entry).merging(base)
      // An import brings what others have added since, as after an undo.
      for field in entity.fields where field.merge != nil {
        known[field.name] = entry.knownToApp[field.name]
      }
      if case .softDelete(let mark) = entity.deletionStrategy, known[mark] == true {
        throw .isMarked(entry)
      }
      self.edit = .insert(
        try entry.writable(known.filled(for: entity), entity), acl: entry.acl)
    }
  }

  func perform(in transaction: any CapturedTransaction) throws(StoreError) -> Bool {
    let record = RecordReference(
      className: entry.className, localID: entry.localID, objectID: entry.objectID)
    guard case .insert(let fields, .null) = edit,
      let list = entry.withdrawn[Fields.accessList], !list.isNull
    else { return try transaction.perform(edit, on: record) }
    // A row that comes back without a list would have the edited one, so it has that first, and then none.
    guard try transaction.perform(.insert(fields, acl: list), on: record) else { return false }
    guard
      let row = try transaction.record(of: entry.className, objectID: entry.objectID)
    else { return true }
    return try transaction.perform(
      .update([Fields.accessList: .null]), on: row.reference)
  }
}

extension SyncReader {
  /// The values of the server that an earlier delete of the record knew, also of fields that its program did not declare.
  fileprivate func knownToFormerDelete(of entry: OutboxEntry) throws(StoreError) -> Fields {
    let stored = try outboxEntries(of: entry.className, objectIDs: [entry.objectID])
    guard var former = stored.first, former.kind == .delete else { return Fields() }
    let deleted = try deletedFields(of: entry.className, objectIDs: [entry.objectID])
    former.complete(with: deleted[entry.objectID] ?? Fields())
    return former.base
  }
}

extension OutboxEntry {
  /// The values, if the fields can hold them; their types may be others than when the server had the values.
  fileprivate func writable(_ fields: Fields, _ entity: Entity) throws(StoreError) -> Fields {
    do throws(StoreError) {
      var written = try entity.normalized(fields.withoutAccessList, isRowPresent: true)
      written[Fields.accessList] = fields[Fields.accessList]
      return written
    } catch {
      throw .noLongerFits(self, error)
    }
  }
}
