// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

extension ClassComparison {
  /// Lets go of what left the class's filter, and leaves the rest as candidates for removal.
  ///
  /// No list of the filter's records shows these rows. Those that the server has all the same are
  /// brought up to date, which evicts them or, where they have unsent changes, keeps them until these
  /// are sent. Nothing of that is a loss or counts as a removal: the records are there.
  func evict(_ difference: inout RangeDifference) throws(ClassError) {
    guard entity.recordFilter != nil else { return }
    difference.missing.subtract(try fetch(difference.missing))
    guard !difference.missingQuarantined.isEmpty else { return }
    let found = try RecordLookup(context: context)
      .rows(objectIDs: difference.missingQuarantined.sorted())
    let outside = found.records.map(\.objectID) + found.failures.compactMap(\.objectID)
    try context.write(.normal) {
      try $0.removeFromQuarantine(entity.name, objectIDs: outside)
    }
    difference.missingQuarantined.subtract(outside)
  }
}
