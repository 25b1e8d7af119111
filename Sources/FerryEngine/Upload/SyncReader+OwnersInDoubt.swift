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
  /// - Returns: The changes that have to wait until their owners' additions are decided or parked, and for which owner.
  /// - Throws: `StoreError` if the store cannot be read.
  func waitingForOwners(
    among entries: [OutboxEntry], _ rows: [RecordKey: Record]
  ) throws(StoreError) -> [RecordKey: Waiting] {
    var waiting: [RecordKey: Waiting] = [:]
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
      let keys = Dictionary(inDoubt.map { ($0.objectID, $0.key) }, uniquingKeysWith: { $1 })
      for (member, owner) in owners {
        waiting[member] = keys[owner].map { Waiting($0, field: Membership.owner) }
      }
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
