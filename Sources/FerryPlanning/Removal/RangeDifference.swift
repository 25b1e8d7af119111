// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// What comparing a range of the server's list with the rows here shows.
package struct RangeDifference: Equatable {
  /// A record as the list names it.
  package struct Listed: Equatable {
    package var objectID: String
    /// Nil where it could not be made out.
    package var version: ServerVersion?
    /// It is marked as deleted, and has no row here for that.
    package var isFlagged = false

    package init(objectID: String, version: ServerVersion? = nil, isFlagged: Bool = false) {
      self.objectID = objectID
      self.version = version
      self.isFlagged = isFlagged
    }
  }

  /// Rows that the list does not show: candidates for removal, nothing more.
  package var missing: Set<String> = []
  /// Records that are not here, or here in another version: to be fetched.
  package var wanted: Set<String> = []
  /// Records set aside that the list does not show.
  package var missingQuarantined: Set<String> = []
  /// Rows held back from removal that are there after all.
  package var reappeared: Set<String> = []

  package init() {}

  /// Nothing leaves a class that is never removed.
  package mutating func keepAll() {
    missing = []
    missingQuarantined = []
  }

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
      if let version = record.version, known == version || setAside == version { continue }
      // A record that cannot even be listed whole is no more readable when it is fetched again.
      if record.version == nil, setAside != nil { continue }
      wanted.insert(record.objectID)
    }
    missingQuarantined.formUnion(
      set.quarantined.values
        .filter { !shown.contains($0.objectID) && ($0.createdAt.map(range.contains) ?? false) }
        .map(\.objectID))
  }
}
