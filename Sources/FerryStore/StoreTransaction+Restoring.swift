// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel
package import FerryPlanning

extension StoreTransaction {
  /// Writes the values of a conflict record into its row, or into a new one.
  ///
  /// - Returns: The row with the values.
  package func restoreValues(of conflict: ConflictRecord) throws(StoreError) -> RecordReference {
    let (className, localID) = (conflict.record.className, conflict.record.localID)
    let lost = try schema.registered(className).restorable(conflict.lost)
    if let present = try record(of: className, localID: localID) {
      try update(className, localID, lost)
      return present.reference
    }
    guard conflict.isWholeRecord else { throw StoreError.noSuchRecord(className, localID) }
    // The server has deleted the old id for good, so the values go into a new record.
    return try insert(className, lost, objectID: nil)
  }
}

extension StoreError {
  /// There is no conflict record with that number.
  package static func noSuchConflict(_ id: Int64) -> StoreError {
    StoreError(
      .noSuchRecord,
      "There is no conflict record \(id), so nothing was changed. List the conflict records to see "
        + "their numbers.")
  }
}
