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
    let outside = found.records.map(\.objectID) + found.failures.compactMap(\.objectID)
    try context.write(.normal) { transaction throws(StoreError) in
      try transaction.removeFromQuarantine(entity.name, objectIDs: outside)
    }
    difference.missingQuarantined.subtract(outside)
  }
}
