// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore

extension SyncReader {
  /// What the server should count of a class beside the acknowledged rows, unfolded edits included.
  func censusSet(of className: String, held: [String: Timestamp]) throws -> CensusSet {
    var set = CensusSet()
    let entity = try schema.registered(className)
    try forEachPendingEntry(of: className) { entry in
      guard let shown = try shownRecord(entry), let createdAt = shown.record.createdAt else {
        return
      }
      if entity.keeps(shown.record) {
        if shown.isDeletedHere { set.deletions[shown.record.objectID] = createdAt }
      } else if !shown.isDeletedHere, held[shown.record.objectID] == nil {
        set.outside[shown.record.objectID] = createdAt
      }
    }
    let quarantined = try quarantine(of: className)
    let ids = quarantined.map(\.objectID) + held.keys
    let present = try ids.isEmpty ? [:] : versions(of: className, objectIDs: ids)
    for record in quarantined where present[record.objectID]?.createdAt == nil {
      set.quarantined[record.objectID] = record
    }
    set.held = held.filter { present[$0.key]?.createdAt != nil }
    return set
  }

  /// The record of an unsent change as the server showed it last.
  private func shownRecord(
    _ entry: OutboxEntry
  ) throws -> (record: Record, isDeletedHere: Bool)? {
    guard entry.createdAt != nil else { return nil }
    let isDeletedHere = entry.kind != .update
    let entity = try schema.registered(entry.className)
    var record = Record(
      className: entry.className, objectID: entry.objectID, fields: Fields(),
      createdAt: entry.createdAt)
    // Without a filter nothing is asked of the fields.
    if !isDeletedHere, entity.recordFilter != nil {
      let row = try self.record(of: entry.className, localID: entry.localID)
      guard let row else { return nil }
      record.fields = row.fields
    }
    record.fields = record.fields.merging(entry.base)
    return (record, isDeletedHere)
  }

  /// The acknowledged rows of several stretches, in one look through the class.
  func acknowledged(
    of className: String, in leaves: [MissingPlanner.Leaf]
  ) throws -> [[StoredVersion]] {
    if leaves.count == 1 { return [try acknowledged(of: className, created: leaves[0].span)] }
    var rows = [[StoredVersion]](repeating: [], count: leaves.count)
    var last = LocalID(rawValue: 0)
    while true {
      let page = try acknowledged(of: className, after: last, limit: 10_000)
      guard let newest = page.last else { return rows }
      last = newest.localID
      for row in page {
        guard let created = row.createdAt, let leaf = leaves.index(of: created) else { continue }
        rows[leaf].append(row)
      }
    }
  }
}

extension [MissingPlanner.Leaf] {
  /// The stretch that holds a moment; they stand in order.
  fileprivate func index(of moment: Timestamp) -> Int? {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle].span.upperBound <= moment { low = middle + 1 } else { high = middle }
    }
    return low < count && self[low].span.contains(moment) ? low : nil
  }

  /// Runs of stretches with at most so many rows here, so that memory does not grow with the class.
  func grouped(upTo limit: Int) -> [[MissingPlanner.Leaf]] {
    var groups: [[MissingPlanner.Leaf]] = []
    var size = 0
    for leaf in self {
      if groups.isEmpty || size + leaf.here > limit {
        groups.append([])
        size = 0
      }
      groups[groups.count - 1].append(leaf)
      size += leaf.here
    }
    return groups
  }
}

extension BookkeepingKey where Content == [String: Timestamp] {
  /// Rows of a class that are gone on the server and wait for a confirmation: their creation times,
  /// by object id.
  static func heldRemovals(_ className: String) -> Self {
    Self(name: "held/\(className)", initial: [:])
  }
}
