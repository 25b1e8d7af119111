// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

extension SyncReader {
  /// The differences that the server's count of a class should have, including unfolded edits.
  func comparedRecords(of className: String, held: [String: Timestamp]) throws(StoreError)
    -> ComparedRecords
  {
    var set = ComparedRecords()
    let entity = try schema.registered(className)
    var others = try undeclaredEditsToCompare(of: entity)
    var deleted = Set<String>()
    try forEachPendingEntry(of: className) { entry throws(StoreError) in
      others[entry.localID] = nil
      guard let shown = try shownRecord(entry), let createdAt = shown.record.createdAt else {
        return
      }
      if shown.isDeletedLocally { deleted.insert(shown.record.objectID) }
      if entity.keeps(shown.record) {
        if shown.isDeletedLocally { set.deletions[shown.record.objectID] = createdAt }
      } else if !shown.isDeletedLocally, held[shown.record.objectID] == nil {
        set.outside[shown.record.objectID] = createdAt
      }
    }
    for record in try records(of: className, localIDs: others.keys.sorted())
    where !entity.keeps(record) && held[record.objectID] == nil {
      set.outside[record.objectID] = record.createdAt
    }
    let quarantined = try quarantine(of: className)
    let ids = quarantined.map(\.objectID)
    let present = try ids.isEmpty ? [:] : versions(of: className, objectIDs: ids)
    for record in quarantined {
      let mayMatch = record.mayMatchFilter(of: entity)
      if let createdAt = present[record.objectID]?.createdAt {
        // The version in quarantine is newer than that of the row.
        let isCounted = mayMatch || held[record.objectID] != nil
        set.outside[record.objectID] = isCounted ? nil : createdAt
        continue
      }
      // The server counts it once where a delete waits for it, or not at all if it left the filter.
      set.deletions[record.objectID] = nil
      if deleted.contains(record.objectID), !mayMatch {
        set.unlisted.insert(record.objectID)
      } else {
        set.quarantined[record.objectID] = record
      }
    }
    set.toReadAgain = Set(quarantined.map(\.objectID))
    set.held = held
    return set
  }

  /// The edits that only another program can send; none without a filter, where such rows do not matter.
  private func undeclaredEditsToCompare(
    of entity: Entity
  ) throws(StoreError) -> [LocalID: Set<String>] {
    entity.recordFilter == nil ? [:] : try undeclaredEdits(of: entity.name)
  }

  /// The record of an unsent change as the server last showed it.
  private func shownRecord(
    _ entry: OutboxEntry
  ) throws(StoreError) -> (record: Record, isDeletedLocally: Bool)? {
    // The server has not shown the record of such a delete, which may be taken back.
    guard entry.createdAt != nil, entry.state != .confirming || !entry.hasIncrementsSetAside
    else { return nil }
    let isDeletedLocally = entry.kind != .update
    let entity = try schema.registered(entry.className)
    var record = Record(
      className: entry.className, objectID: entry.objectID, fields: Fields(),
      createdAt: entry.createdAt)
    // Without a filter, the fields do not matter.
    if !isDeletedLocally, entity.recordFilter != nil {
      let row = try self.record(of: entry.className, localID: entry.localID)
      guard let row else { return nil }
      record.fields = row.fields
    }
    record.fields = record.fields.merging(entry.base)
    return (record, isDeletedLocally)
  }
}

extension QuarantinedRecord {
  /// Whether the record's readable values do not show that it is outside the class's filter.
  fileprivate func mayMatchFilter(of entity: Entity) -> Bool {
    guard entity.recordFilter != nil, let createdAt,
      let fields = UnreadableRemote(self, of: entity).fields
    else { return true }
    return entity.keeps(
      Record(
        className: className, objectID: objectID, fields: Fields(fields), createdAt: createdAt))
  }
}

extension [RangeComparison.Bucket] {
  /// Groups of ranges with a limited number of local rows, so that memory does not grow with the
  /// class.
  func grouped(upTo limit: Int) -> [[RangeComparison.Bucket]] {
    var groups: [[RangeComparison.Bucket]] = []
    var size = 0
    for bucket in self {
      if groups.isEmpty || size + bucket.local > limit {
        groups.append([])
        size = 0
      }
      groups[groups.count - 1].append(bucket)
      size += bucket.local
    }
    return groups
  }
}
