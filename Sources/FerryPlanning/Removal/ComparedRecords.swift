// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// What the server should count of a class, beside the rows here that it has acknowledged.
///
/// Without these a class with a single unsent deletion would differ on every sync.
package struct ComparedRecords: Equatable {
  /// Records deleted here whose deletion the server has not confirmed.
  package var deletions: [String: Timestamp] = [:]
  /// Records of the server's that could not be imported and have no row here.
  package var quarantined: [String: QuarantinedRecord] = [:]
  /// Rows that are gone on the server and kept here until someone confirms their removal.
  package var held: [String: Timestamp] = [:]
  /// Rows whose records the class's filter keeps out, here until their unsent changes are sent.
  package var outside: [String: Timestamp] = [:]

  package init(
    deletions: [String: Timestamp] = [:], quarantined: [String: QuarantinedRecord] = [:],
    held: [String: Timestamp] = [:], outside: [String: Timestamp] = [:]
  ) {
    self.deletions = deletions
    self.quarantined = quarantined
    self.held = held
    self.outside = outside
  }

  /// How many more records the server should count than rows here, in all.
  package var excess: Int { deletions.count + quarantined.count - held.count - outside.count }

  /// The same, of the records created within a range.
  package func excess(in range: Range<Timestamp>) -> Int {
    deletions.values.count { range.contains($0) }
      + quarantined.values.count { $0.createdAt.map(range.contains) ?? false }
      - held.values.count { range.contains($0) } - outside.values.count { range.contains($0) }
  }

  /// Whether it is known of each of them in which range it is counted.
  package var isDated: Bool { quarantined.values.allSatisfy { $0.createdAt != nil } }

  /// The counts between neighbouring boundaries, from those of the acknowledged rows.
  package func counts(_ acknowledged: [Int], between boundaries: [Timestamp]) -> [Int] {
    zip(zip(boundaries, boundaries.dropFirst()), acknowledged).map {
      $1 + excess(in: $0.0..<$0.1)
    }
  }
}
