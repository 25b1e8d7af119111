// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel
package import FerryPlanning

extension StoreTransaction {
  /// Writes the values of a conflict record into its row, or into a new one.
  ///
  /// - Parameters:
  ///   - conflict: The conflict record.
  ///   - insert: Inserts a row of the class with these fields and this access control list.
  /// - Returns: The row with the values.
  /// - Throws: A `StoreError` if there is nothing to write, or no row for single fields.
  package func restoreValues(
    of conflict: ConflictRecord,
    inserting insert: (String, Fields, Value) throws(StoreError) -> RecordReference
  ) throws(StoreError) -> RecordReference {
    let className = conflict.record.className
    let lost = conflict.restorableFields(of: try schema.registered(className))
    guard !lost.isEmpty || conflict.lost.isEmpty else {
      throw StoreError(
        .unknownField,
        "Of the class \(className), \(schema.name) declares none of the fields "
          + "\(conflict.lost.names.joined(separator: ", ")) with a type that can hold the lost value. So "
          + "nothing was changed. Declare the fields, and restore the conflict record then.")
    }
    if let present = try row(of: conflict) {
      try update(
        className, present.localID, lost.withoutAccessList,
        acl: lost[Fields.accessList].flatMap(AccessList.init))
      return present.reference
    }
    guard conflict.isWholeRecord else {
      throw StoreError(
        .noSuchRecord,
        "The row \(conflict.record.localID) of \(className) is gone, and the conflict record holds single fields of it. "
          + "So nothing was changed. If a sync removed the row, another conflict record holds the whole "
          + "row. Restore that one first; its values are in a new row then.")
    }
    guard try !isStillRestored(conflict) else { throw StoreError.alreadyRestored(conflict) }
    // The server has deleted the old id for good, so the values go into a new record. It is as private
    // as the old one was.
    return try insert(className, lost, conflict.acl)
  }
}

extension StoreReader {
  /// Whether a conflict record was restored, and the new row of a whole record is still there: an undo or a delete may
  /// have taken it.
  func isStillRestored(_ conflict: ConflictRecord) throws(StoreError) -> Bool {
    guard conflict.isWholeRecord, let row = conflict.restoredRow else { return conflict.isRestored }
    return try record(of: conflict.record.className, localID: row) != nil
  }
}

extension StoreError {
  /// A second row would be sent as a second record.
  fileprivate static func alreadyRestored(_ conflict: ConflictRecord) -> StoreError {
    StoreError(
      .alreadyRestored,
      "The conflict record of the row \(conflict.record.localID) of \(conflict.record.className) was restored before, "
        + "into a row of its own. So nothing was changed. Edit that row, or delete it and restore the conflict record "
        + "then.")
  }

  /// There is no conflict record with that number.
  package static func noSuchConflict(_ id: Int64) -> StoreError {
    StoreError(
      .noSuchRecord,
      "There is no conflict record \(id), so nothing was changed. List the conflict records to see "
        + "their numbers.")
  }
}
