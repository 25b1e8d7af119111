// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

extension SyncReader {
  /// Changes of members whose owners have an addition of unknown outcome.
  ///
  /// A member gives its owner a new version, and the version of before is the only proof that the server added nothing.
  ///
  /// - Parameters:
  ///   - entries: Changes of declared classes.
  ///   - rows: Their rows.
  /// - Returns: The changes that have to wait until their owners' additions are decided or parked.
  /// - Throws: `StoreError` if the store cannot be read.
  func waitingForOwners(
    among entries: [OutboxEntry], _ rows: [RecordKey: Record]
  ) throws(StoreError) -> Set<RecordKey> {
    var waiting = Set<RecordKey>()
    for (className, entries) in Dictionary(grouping: entries, by: \.className) {
      guard let membership = schema.entity(className)?.membership else { continue }
      let owners = entries.reduce(into: [RecordKey: String]()) { owners, entry in
        let pair = rows[entry.key].flatMap { MemberPair($0.fields) }
        owners[entry.key] =
          (pair ?? MemberPair(entry.base) ?? MemberPair(objectID: entry.objectID))?.owner
      }
      let inDoubt = try outboxEntries(
        of: membership.ownerClass, objectIDs: Set(owners.values).sorted()
      ).filter(\.mustStayAtItsVersion)
      let ids = Set(inDoubt.map(\.objectID))
      waiting.formUnion(owners.filter { ids.contains($0.value) }.keys)
    }
    return waiting
  }
}

extension OutboxEntry {
  /// Whether the record's version is still to show what became of an addition.
  fileprivate var mustStayAtItsVersion: Bool {
    if case .parked = state { return false }
    return attempts.contains(where: \.isAdditionInDoubt)
  }
}
