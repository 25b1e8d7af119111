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
  func evict(_ difference: inout RangeDifference) throws(ClassError) {
    guard entity.recordFilter != nil else { return }
    difference.missing.subtract(try fetch(difference.missing))
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
