// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// The differences between a range of the server's list and the local rows.
package struct RangeDifference: Equatable {
  /// A record in the list.
  package struct Listed: Equatable {
    package var objectID: String
    /// Nil if it could not be read.
    package var version: ServerVersion?
    /// The record carries the soft-delete mark, and therefore has no local row.
    package var isFlagged = false

    package init(objectID: String, version: ServerVersion? = nil, isFlagged: Bool = false) {
      self.objectID = objectID
      self.version = version
      self.isFlagged = isFlagged
    }
  }

  /// Rows that the list does not show: candidates for removal.
  package var missing: Set<String> = []
  /// Records without a local row, or with another local version: to be fetched.
  package var wanted: Set<String> = []
  /// Quarantined records that the list does not show.
  package var missingQuarantined: Set<String> = []
  /// Records with an unsent delete that the list does not show.
  package var missingDeletions: Set<String> = []
  /// Rows held back from removal whose records exist after all.
  package var reappeared: Set<String> = []

  package init() {}

  /// No row leaves a class that is never removed; a quarantined version goes with its record.
  ///
  /// A row with an unsent edit stays missing: its edit is settled at once.
  ///
  /// - Parameters:
  ///   - quarantined: The missing rows of which a newer version is in quarantine.
  ///   - edited: The missing rows with an unsent edit.
  package mutating func keepRows(quarantined: [String], edited: Set<String>) {
    missingQuarantined = missingQuarantined.union(quarantined).subtracting(edited)
    missing = edited
  }

  /// Adds the records that the server's Cloud Code names as deleted, as far as there is something of them here.
  ///
  /// - Parameters:
  ///   - objectIDs: The records; those of other classes, and unknown ones, mean nothing.
  ///   - rows: The creation times of their confirmed rows.
  ///   - set: The differences that are known; those of the counts are added to it.
  package mutating func take(
    named objectIDs: Set<String>, rows: [String: Timestamp], _ set: inout ComparedRecords
  ) {
    missing.formUnion(rows.keys.filter { set.held[$0] == nil })
    for (objectID, createdAt) in rows
    where set.held[objectID] == nil && set.outside[objectID] == nil {
      set.named[objectID] = createdAt
    }
    for objectID in objectIDs {
      if let createdAt = set.deletions[objectID] {
        missingDeletions.insert(objectID)
        set.named[objectID] = createdAt
      } else if let record = set.quarantined[objectID] {
        missingQuarantined.insert(objectID)
        set.named[objectID] = record.createdAt
      }
    }
  }

  /// Adds the differences of a range.
  ///
  /// - Parameters:
  ///   - local: The confirmed rows of the range.
  ///   - remote: The records of the range.
  ///   - range: The times of creation.
  ///   - set: The differences that are known.
  package mutating func compare(
    local: [StoredVersion], remote: [Listed], in range: Range<Timestamp>, _ set: ComparedRecords
  ) {
    let rows = Dictionary(local.map { ($0.objectID, $0) }, uniquingKeysWith: { first, _ in first })
    let shown = Set(remote.map(\.objectID))
    missing.formUnion(
      local.map(\.objectID).filter { !shown.contains($0) && set.held[$0] == nil })
    for record in remote where set.deletions[record.objectID] == nil {
      if set.held[record.objectID] != nil { reappeared.insert(record.objectID) }
      let known = rows[record.objectID].map(\.version)
      if record.isFlagged, rows[record.objectID] == nil { continue }
      let setAside = set.quarantined[record.objectID].map(\.version)
      let isReadAgain = set.toReadAgain.contains(record.objectID)
      if let version = record.version, !isReadAgain, known == version || setAside == version {
        continue
      }
      // A record that cannot even be listed completely is no more readable if it is fetched again.
      if record.version == nil, setAside != nil { continue }
      wanted.insert(record.objectID)
    }
    missingQuarantined.formUnion(
      set.quarantined.values
        .filter { !shown.contains($0.objectID) && ($0.createdAt.map(range.contains) ?? false) }
        .map(\.objectID))
    missingDeletions.formUnion(
      set.deletions.filter { !shown.contains($0.key) && range.contains($0.value) }.keys)
  }
}
