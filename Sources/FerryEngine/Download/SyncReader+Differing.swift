// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

extension SyncReader {
  /// The ids of the records on a page of versions that the store does not have like that.
  func differing(_ page: BatchPage, of className: String) throws(StoreError) -> [String] {
    let batch = page.batch
    var ids = try rowsOfOtherVersions(in: batch, of: className).map(batch.objectID)
    // Records that leave the batch are few: those of a page that repeats an id.
    if !page.records.isEmpty {
      let stored = try versions(of: className, objectIDs: page.records.map(\.objectID))
      ids += page.records.filter { $0.version != stored[$0.objectID]?.version }.map(\.objectID)
    }
    return ids + page.failures.compactMap(\.objectID)
  }
}
