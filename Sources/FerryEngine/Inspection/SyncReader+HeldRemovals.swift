// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning
import FerryStore

extension SyncReader {
  /// The removals and deletes of a class that wait for a confirmation.
  func heldRemovals(of className: String) throws(StoreError) -> [GuardedRemoval] {
    let rows = try heldRows(of: className).keys.sorted()
    var deletes: [String] = []
    try forEachPendingEntry(of: className) { entry throws(StoreError) in
      if case .blocked(.confirmation) = entry.state { deletes.append(entry.objectID) }
    }
    let present = try acknowledgedCount(of: className)
    return [
      heldRemoval(of: className, on: .local, rows, of: present),
      heldRemoval(of: className, on: .server, deletes.sorted(), of: present + deletes.count),
    ].compactMap(\.self)
  }

  private func heldRemoval(
    of className: String, on side: GuardedRemoval.Side, _ objectIDs: [String], of total: Int
  ) -> GuardedRemoval? {
    guard !objectIDs.isEmpty else { return nil }
    return GuardedRemoval(
      className: className, side: side, count: objectIDs.count, total: total, objectIDs: objectIDs,
      confirmation: DeleteGuard.confirmation(className, on: side, objectIDs))
  }
}
