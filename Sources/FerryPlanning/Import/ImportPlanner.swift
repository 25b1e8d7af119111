// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// Decides what an import does with the records of a page; a pure function.
///
/// It compares versions only for equality, and decides the rest by content: records with equal
/// stamps can differ, and records with different stamps can be equal.
package struct ImportPlanner {
  package let entity: Entity
  package var policy: ConflictPolicy = .remoteWins
  package var deletionPolicy: DeletionPolicy = .deleteWins
  /// Declared fields that no complete listing has returned yet.
  package var unknownFields: Set<String> = []
  /// The fields that complete listings have returned at any time: a base without a value is known, too.
  package var everListedFields: Set<String> = []
  /// The present time, for conflict records.
  package let now: Timestamp
  /// When the listing of these records began, by the same clock; nil if unknown.
  package var listingStartedAt: Timestamp?
  package var maximumRequestDuration: Duration = .seconds(120)
  /// The stage that plans name for this work.
  package var stage = StageName.importing
  /// Whether records outside the class's filter are evicted; a listing with the filter shows none.
  package var evicts = false

  package init(
    entity: Entity, policy: ConflictPolicy = .remoteWins,
    deletionPolicy: DeletionPolicy = .deleteWins, unknownFields: Set<String> = [],
    everListedFields: Set<String> = [], now: Timestamp, listingStartedAt: Timestamp? = nil,
    maximumRequestDuration: Duration = .seconds(120),
    stage: StageName = .importing, evicts: Bool = false
  ) {
    self.entity = entity
    self.policy = policy
    self.deletionPolicy = deletionPolicy
    self.unknownFields = unknownFields
    self.everListedFields = everListedFields
    self.now = now
    self.listingStartedAt = listingStartedAt
    self.maximumRequestDuration = maximumRequestDuration
    self.stage = stage
    self.evicts = evicts
  }

  /// The creates in doubt that the page's records prove; the caller resolves these before planning.
  ///
  /// Of several records with one key, every device takes the oldest.
  package func matches(in situation: ImportSituation) -> [ImportMatch] {
    var best: [LocalID: ImportMatch] = [:]
    for record in situation.shown {
      let entry =
        situation.entries[record.objectID] ?? record.clientKey.flatMap { situation.entries[$0] }
      guard let entry, entry.kind == .create || entry.kind == .deleteAfterCreate else { continue }
      if let other = best[entry.localID], !isBetter(record, than: other.record) { continue }
      best[entry.localID] = ImportMatch(entry: entry, record: record)
    }
    return best.values.sorted { $0.entry.localID < $1.entry.localID }
  }

  /// The originals of records from one create, if a row belongs to a duplicate.
  ///
  /// The caller binds the row to the original before planning. Of several records with one key,
  /// every device keeps the oldest; otherwise each would delete the other's.
  package func originals(in situation: ImportSituation) -> [OriginalRecord] {
    var best: [LocalID: OriginalRecord] = [:]
    for record in situation.records
    where situation.versions[record.objectID] == nil && !entity.isFlagged(record) {
      guard situation.entries[record.objectID] == nil,
        let younger = originalID(ofDuplicate: record, situation).flatMap({ situation.named[$0] }),
        let createdAt = younger.createdAt,
        (record.createdAt, record.objectID) < (createdAt, younger.objectID)
      else { continue }
      if let other = best[younger.localID], !record.isOlder(than: other.record) { continue }
      best[younger.localID] = OriginalRecord(record: record, younger: younger)
    }
    return best.values.sorted { $0.younger.localID < $1.younger.localID }
  }

  /// The records that another device created again, if the deleted record still has a local row.
  ///
  /// The key of such a create is the id of the deleted record. The caller binds the row to the new
  /// record before planning, so that its unsent edits are merged with the new record.
  package func successions(in situation: ImportSituation) -> [ImportSuccession] {
    var best: [LocalID: ImportSuccession] = [:]
    for record in situation.records
    where situation.versions[record.objectID] == nil && !entity.isFlagged(record) {
      guard situation.entries[record.objectID] == nil,
        let row = record.clientKey.flatMap({ situation.predecessors[$0] }),
        let createdAt = row.createdAt, createdAt < record.createdAt
      else { continue }
      if let other = best[row.localID], !record.isOlder(than: other.record) { continue }
      best[row.localID] = ImportSuccession(record: record, row: row)
    }
    return best.values.sorted { $0.row.localID < $1.row.localID }
  }

  /// The plan for a page, after its creates in doubt were resolved.
  package func plan(_ situation: ImportSituation) -> ImportPlan {
    var plan = ImportPlan()
    plan.rows.reserveCapacity(situation.records.count)
    plan.actions.reserveCapacity(situation.records.count)
    for record in situation.records { planRecord(record, situation, &plan) }
    planQuarantine(situation, &plan)
    return plan
  }

  func planRecord(
    _ record: ServerRecord, _ situation: ImportSituation, _ plan: inout ImportPlan
  ) {
    var entry = situation.entries[record.objectID]
    // A record with a mark is that of the delete, which keeps the question what became of increments.
    if let outlived = entry, outlived.isOutlived(by: record.createdAt),
      !outlived.hasIncrementsSetAside || !entity.isFlagged(record)
    {
      plan.done.append(outlived)
      entry = nil
    }
    if let entry {
      planEntry(entry, record, situation, &plan)
    } else if let stored = situation.versions[record.objectID] {
      planStored(record, stored, situation, &plan)
    } else if entity.isFlagged(record) {
      plan.unchanged += 1
    } else if let original = originalID(ofDuplicate: record, situation) {
      planDuplicate(record, of: original, &plan)
    } else if isOutside(record) {
      plan.unchanged += 1
    } else {
      plan.rows.append(row(record, localID: nil))
      plan.actions.append(action(.insert, record))
    }
  }

  /// A row without unsent changes.
  private func planStored(
    _ record: ServerRecord, _ stored: StoredVersion, _ situation: ImportSituation,
    _ plan: inout ImportPlan
  ) {
    let row = situation.rows[record.objectID]
    let undeclared = situation.undeclared[stored.localID] ?? UndeclaredFields()
    if entity.isFlagged(record) {
      return planRemoval(record, stored.localID, row, undeclared, isEdited: false, &plan)
    }
    // A row with an edit that only another program can send stays for that program.
    if isOutside(record), !undeclared.isEdited {
      return planEviction(record, stored.localID, &plan)
    }
    let differing = row.map { self.differing($0, record.values) }
    if stored.version != record.version || differing?.isEmpty != true
      || row?.acl != record.acl
    {
      plan.rows.append(
        self.row(
          record, over: row, localID: stored.localID, changed: differing.map(positions(of:))))
    }
    if differing?.isEmpty == true && row?.acl == record.acl {
      plan.unchanged += 1
    } else {
      plan.actions.append(
        action(.update, record, localID: stored.localID, fields: differing ?? []))
    }
  }

  /// The row goes, because its record is marked as deleted; a conflict record keeps the whole row.
  package func planRemoval(
    _ record: ServerRecord, _ localID: LocalID, _ row: Record?, _ undeclared: UndeclaredFields,
    isEdited: Bool, _ plan: inout ImportPlan
  ) {
    let losesEdit = isEdited || undeclared.isEdited
    if let row {
      plan.conflicts.append(
        conflictRecord(
          row, losesEdit ? .deletedRemotely : .removed, row.fields.merging(undeclared.values),
          isWholeRecord: true))
    }
    plan.removed.append(localID)
    plan.actions.append(
      action(
        .remove, record, localID: localID,
        reason: losesEdit ? DeletionPolicy.sentenceOfLostEdit : nil))
  }

  /// Whether the record's row may go: the record is marked as deleted, or outside the class's filter.
  package func mayRemoveRow(of record: ServerRecord) -> Bool {
    entity.isFlagged(record) || isOutside(record)
  }

  /// Whether the record is outside the class's filter.
  package func isOutside(_ record: ServerRecord) -> Bool {
    guard evicts, entity.recordFilter != nil else { return false }
    return !entity.keeps(
      Record(
        className: entity.name, objectID: record.objectID, fields: record.fields(of: entity),
        createdAt: record.createdAt))
  }

  /// The row leaves without a loss, because the record stays on the server.
  package func planEviction(_ record: ServerRecord, _ localID: LocalID, _ plan: inout ImportPlan) {
    plan.removed.append(localID)
    plan.actions.append(action(.evict, record, localID: localID))
  }

  /// The record that already has the key of a record from a second run of the app's create.
  ///
  /// Nobody uses a minted key for a second create. An id that a record had can be created anew once
  /// more, after the record that bore it as its key is gone, too.
  func originalID(
    ofDuplicate record: ServerRecord, _ situation: ImportSituation
  ) -> String? {
    guard let key = record.clientKey, let known = situation.aliases[key], known != record.objectID
    else { return nil }
    return MintedID.matches(key) || situation.named[known] != nil ? known : nil
  }

  /// Whether a create is rather settled by one record than by another of the same key.
  private func isBetter(_ record: ServerRecord, than other: ServerRecord) -> Bool {
    let isFlagged = entity.isFlagged(record)
    return isFlagged == entity.isFlagged(other) ? record.isOlder(than: other) : !isFlagged
  }

  private func planDuplicate(
    _ record: ServerRecord, of originalID: String, _ plan: inout ImportPlan
  ) {
    plan.duplicates.append(ImportPlan.Duplicate(record, of: originalID))
    plan.actions.append(
      action(.merge, record, reason: "The create was carried out twice; this one is deleted."))
  }
}

extension ImportPlanner {
  package func row(
    _ record: ServerRecord, over stored: Record? = nil, localID: LocalID?, acl: Value? = nil,
    values: [Value]? = nil, changed: FieldPositions? = nil
  ) -> ImportRow {
    let acl = acl ?? record.acl
    var row = ImportRow(
      localID: localID, objectID: record.objectID, createdAt: record.createdAt,
      version: record.version, acl: acl, values: values ?? record.values, changed: changed)
    if let stored { row.hasOtherACL = stored.acl != acl }
    return row
  }

  package func positions(of fields: [String]) -> FieldPositions {
    FieldPositions(fields.compactMap { entity.positions[$0] })
  }

  package func differing(_ row: Record, _ values: [Value]) -> [String] {
    zip(entity.fields, values).compactMap { field, value in
      row[field.name] == value ? nil : field.name
    }
  }

  package func action(
    _ kind: SyncAction.Kind, _ record: ServerRecord, localID: LocalID? = nil,
    fields: some Sequence<String> = [], reason: String? = nil
  ) -> SyncAction {
    SyncAction(
      kind, in: stage, className: entity.name, localID: localID, objectID: record.objectID,
      fields: fields, reason: reason)
  }

  package func action(for original: OriginalRecord) -> SyncAction {
    action(
      .merge, original.record, localID: original.younger.localID,
      reason: "The create was carried out twice; the older record stays.")
  }

  package func conflictRecord(
    _ row: Record, _ reason: ConflictRecord.Reason, _ lost: Fields, kept: Fields = [:],
    isWholeRecord: Bool = false
  ) -> ConflictRecord {
    ConflictRecord(
      time: now, record: row.reference, reason: reason, lost: lost, kept: kept,
      isWholeRecord: isWholeRecord, acl: isWholeRecord ? row.acl : .null)
  }
}

extension Entity {
  /// Whether the record carries the soft-delete mark.
  package func isFlagged(_ record: ServerRecord) -> Bool { mark(on: record) != nil }

  /// The field of the soft-delete mark, if the record carries it.
  package func mark(on record: ServerRecord) -> String? {
    guard case .softDelete(let field) = deletionStrategy, let position = positions[field],
      record.values[position] == .boolean(true)
    else { return nil }
    return field
  }
}

extension ServerRecord {
  /// Orders the records of one create: by the server's creation time, then by id.
  fileprivate func isOlder(than other: ServerRecord) -> Bool {
    (createdAt, objectID) < (other.createdAt, other.objectID)
  }
}
