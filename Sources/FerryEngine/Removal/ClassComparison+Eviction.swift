// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

extension ClassComparison {
  /// Evicts rows that left the class's filter; the others remain candidates for removal.
  ///
  /// No list with the filter shows these rows. The engine fetches those that still exist on the
  /// server. The import then evicts them, or keeps them while they have unsent changes. An eviction
  /// is neither a loss nor a removal, because the record still exists.
  ///
  /// - Parameters:
  ///   - difference: The result of the comparison.
  ///   - waiting: Records in quarantine that stay there while nobody can read them, because deletes wait for
  ///     them.
  /// - Throws: A request fails, or the store cannot be read or written.
  func evict(
    _ difference: inout RangeDifference, waiting: Set<String>
  ) throws(ClassError) {
    guard entity.recordFilter != nil else { return }
    difference.missing.subtract(try fetch(difference.missing))
    difference.missingQuarantined.formUnion(waiting.subtracting(try fetch(waiting)))
    guard !difference.missingQuarantined.isEmpty else { return }
    let found = try RecordLookup(context: context)
      .rows(objectIDs: difference.missingQuarantined.sorted())
    let outside = Set(found.records.map(\.objectID) + found.failures.compactMap(\.objectID))
    let awaited = try deletes(among: found.failures.compactMap(\.objectID))
    // The record left the filter by an edit of this device. Quarantine gets the version that says so.
    try fetch(awaited)
    try context.write(.normal) { transaction throws(StoreError) in
      try transaction.removeFromQuarantine(
        entity.name, objectIDs: outside.subtracting(awaited).sorted())
    }
    difference.missingQuarantined.subtract(outside)
  }

  /// Those of some records for which deletes wait.
  private func deletes(among objectIDs: [String]) throws(ClassError) -> Set<String> {
    guard !objectIDs.isEmpty else { return [] }
    let entries = try context.read { reader throws(StoreError) in
      try reader.outboxEntries(of: entity.name, objectIDs: objectIDs)
    }
    return Set(entries.filter { $0.kind == .delete }.map(\.objectID))
  }
}
