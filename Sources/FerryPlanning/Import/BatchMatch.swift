// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// A row of a batch beside the different row that the store has of the record.
package struct BatchMatch: Sendable, Equatable {
  /// The row's number in the batch.
  package var row: Int
  package var localID: LocalID
  /// The positions of the fields whose values differ.
  package var differing = FieldPositions()
  package var hasOtherACL = false
  package var hasOtherVersion = false
  /// Whether the server has confirmed the stored row.
  package var isAcknowledged = true

  package init(row: Int, localID: LocalID) {
    self.row = row
    self.localID = localID
  }

  /// Whether the stored row equals the record's row.
  package var isSame: Bool {
    differing.isEmpty && !hasOtherACL && !hasOtherVersion && isAcknowledged
  }
}
