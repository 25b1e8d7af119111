// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// The known differences between the server's count of a class and the confirmed local rows.
///
/// Without these, a class with a single unsent deletion would differ in every sync.
package struct ComparedRecords: Equatable {
  /// Locally deleted records whose deletion the server has not confirmed.
  package var deletions: [String: Timestamp] = [:]
  /// Records of the server that could not be imported and have no local row.
  package var quarantined: [String: QuarantinedRecord] = [:]
  /// Records in quarantine outside the class's filter, for which deletes wait; no count has them.
  package var unlisted: Set<String> = []
  /// Local rows whose records are gone on the server and that wait for a confirmation.
  package var held: [String: Timestamp] = [:]
  /// Rows outside the class's filter that stay until their unsent changes are sent.
  package var outside: [String: Timestamp] = [:]
  /// Confirmed rows, and records as above, that the server's Cloud Code names as deleted; no count has them.
  package var named: [String: Timestamp] = [:]
  /// Records in quarantine that are fetched also where their versions are the same.
  ///
  /// A change of the server's schema gives no record a new version.
  package var toReadAgain: Set<String> = []

  package init(
    deletions: [String: Timestamp] = [:], quarantined: [String: QuarantinedRecord] = [:],
    held: [String: Timestamp] = [:], outside: [String: Timestamp] = [:],
    toReadAgain: Set<String> = []
  ) {
    self.deletions = deletions
    self.quarantined = quarantined
    self.held = held
    self.outside = outside
    self.toReadAgain = toReadAgain
  }

  /// How many more records the server should count than there are local rows.
  package var excess: Int {
    deletions.count + quarantined.count - held.count - outside.count - named.count
  }

  /// The same for the records created within a range.
  package func excess(in range: Range<Timestamp>) -> Int {
    deletions.values.count { range.contains($0) }
      + quarantined.values.count { $0.createdAt.map(range.contains) ?? false }
      - held.values.count { range.contains($0) } - outside.values.count { range.contains($0) }
      - named.values.count { range.contains($0) }
  }

  /// Whether the creation time of each of them is known.
  package var isDated: Bool { quarantined.values.allSatisfy { $0.createdAt != nil } }

  /// The expected counts between neighbouring boundaries, from those of the confirmed rows.
  package func counts(_ acknowledged: [Int], between boundaries: [Timestamp]) -> [Int] {
    zip(zip(boundaries, boundaries.dropFirst()), acknowledged).map {
      $1 + excess(in: $0.0..<$0.1)
    }
  }
}
