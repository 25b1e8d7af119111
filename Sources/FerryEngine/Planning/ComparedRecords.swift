// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// What the server should count of a class, beside the rows here that it has acknowledged.
///
/// Without these a class with a single unsent deletion would differ on every sync.
struct ComparedRecords: Equatable {
  /// Records deleted here whose deletion the server has not confirmed.
  var deletions: [String: Timestamp] = [:]
  /// Records of the server's that could not be imported and have no row here.
  var quarantined: [String: QuarantinedRecord] = [:]
  /// Rows that are gone on the server and kept here until someone confirms their removal.
  var held: [String: Timestamp] = [:]
  /// Rows whose records the class's filter keeps out, here until their unsent changes are sent.
  var outside: [String: Timestamp] = [:]

  /// How many more records the server should count than rows here, in all.
  var excess: Int { deletions.count + quarantined.count - held.count - outside.count }

  /// The same, of the records created within a range.
  func excess(in range: Range<Timestamp>) -> Int {
    deletions.values.count { range.contains($0) }
      + quarantined.values.count { $0.createdAt.map(range.contains) ?? false }
      - held.values.count { range.contains($0) } - outside.values.count { range.contains($0) }
  }

  /// Whether it is known of each of them in which range it is counted.
  var isDated: Bool { quarantined.values.allSatisfy { $0.createdAt != nil } }

  /// The counts between neighbouring boundaries, from those of the acknowledged rows.
  func counts(_ acknowledged: [Int], between boundaries: [Timestamp]) -> [Int] {
    zip(zip(boundaries, boundaries.dropFirst()), acknowledged).map {
      $1 + excess(in: $0.0..<$0.1)
    }
  }
}

/// What comparing a range of the server's list with the rows here shows.
struct RangeDifference: Equatable {
  /// A record as the list names it.
  struct Listed: Equatable {
    var objectID: String
    /// Nil where it could not be made out.
    var version: ServerVersion?
    /// It is marked as deleted, and has no row here for that.
    var isFlagged = false
  }

  /// Rows that the list does not show: candidates for removal, nothing more.
  var missing: Set<String> = []
  /// Records that are not here, or here in another version: to be fetched.
  var wanted: Set<String> = []
  /// Records set aside that the list does not show.
  var missingQuarantined: Set<String> = []
  /// Rows held back from removal that are there after all.
  var reappeared: Set<String> = []

  /// Nothing leaves a class that is never removed.
  mutating func keepAll() {
    missing = []
    missingQuarantined = []
  }

  mutating func compare(
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
