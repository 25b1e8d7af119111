// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// The records of a class that unfolded edits know under several local ids.
///
/// The app deleted such a record and inserted it again, or replaced it. All its edits must be folded
/// together, in the order in which they happened.
package struct MovedRecords {
  /// Each local id of such a record, with an earlier one; the earliest with itself.
  private var parents: [LocalID: LocalID] = [:]
  /// Under which local id an object id went last.
  private var lastRemoved: [String: LocalID] = [:]

  package init() {}

  /// Takes note of an object id whose rows the app removed.
  ///
  /// - Parameters:
  ///   - objectID: The object id.
  ///   - removed: The local ids of the removed rows, oldest first.
  ///   - owner: The local id of the row that has the object id now.
  ///   - entries: The local ids of the entries with the object id.
  package mutating func note(
    _ objectID: String, removed: [LocalID], owner: LocalID?, entries: [LocalID]
  ) {
    guard let last = removed.last else { return }
    let rows = removed + (owner.map { [$0] } ?? [])
    if Set(rows + entries).count > 1 { lastRemoved[objectID] = last }
    for other in rows where other != last { join(other, last) }
  }

  package func contains(_ localID: LocalID) -> Bool { parents[localID] != nil }

  /// The earliest local id of the record.
  package func first(of localID: LocalID) -> LocalID {
    var localID = localID
    while let parent = parents[localID], parent != localID { localID = parent }
    return localID
  }

  /// Whether the edits removed the record of an entry under another local id.
  package func isElsewhere(_ entry: OutboxEntry) -> Bool {
    lastRemoved[entry.objectID].map { $0 != entry.localID } ?? false
  }

  private mutating func join(_ left: LocalID, _ right: LocalID) {
    let left = first(of: left)
    let right = first(of: right)
    parents[max(left, right)] = min(left, right)
    parents[min(left, right)] = min(left, right)
  }
}
