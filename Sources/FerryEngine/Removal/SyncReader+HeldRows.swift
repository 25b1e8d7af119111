// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

extension SyncReader {
  /// Rows of a class that were deleted on the server and wait for a confirmation: their creation times, by object id.
  ///
  /// The app may have deleted or evicted some of them since they were held back, so that nothing waits for them any more.
  func heldRows(of className: String) throws(StoreError) -> [String: Timestamp] {
    let held = try state(.heldRemovals(className))
    guard !held.isEmpty else { return [:] }
    let present = try versions(of: className, objectIDs: held.keys.sorted())
    return held.filter { present[$0.key]?.createdAt != nil }
  }
}
