// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel
import FerryPlanning

extension CapturedTransaction {
  package func restore(conflict id: Int64) throws(StoreError) -> RecordReference {
    guard let conflict = try conflict(id) else { throw StoreError.noSuchConflict(id) }
    return try restore(conflict)
  }

  package func restoreConflicts(ofRun run: Int64) throws(StoreError) -> [ConflictRestoration] {
    var waiting: [ConflictRecord] = []
    for conflict in try conflicts(ofRun: run).reversed() where try !isStillRestored(conflict) {
      waiting.append(conflict)
    }
    var restorations: [ConflictRestoration] = []
    // Single fields of a removed row need the row that the whole record comes back as.
    var rows: [RecordReference: RecordReference] = [:]
    for conflict in waiting.filter(\.isWholeRecord) + waiting.filter({ !$0.isWholeRecord }) {
      var placed = conflict
      placed.record = rows[conflict.record] ?? conflict.record
      do throws(StoreError) {
        let row = try attempt { () throws(StoreError) in try restore(placed) }
        if conflict.isWholeRecord { rows[conflict.record] = row }
        restorations.append(ConflictRestoration(conflict: conflict, result: .success(row)))
      } catch {
        guard error.concernsOneRecord else { throw error }
        restorations.append(ConflictRestoration(conflict: conflict, result: .failure(error)))
      }
    }
    return restorations
  }

  package func markSeen(conflict id: Int64) throws(StoreError) -> Bool {
    guard let conflict = try conflict(id) else { throw StoreError.noSuchConflict(id) }
    return try markSeen(conflict, restoredIn: nil)
  }

  private func restore(_ conflict: ConflictRecord) throws(StoreError) -> RecordReference {
    let row = try restoreValues(of: conflict) { className, fields, acl throws(StoreError) in
      try insert(className, fields, objectID: nil, accessList: acl)
    }
    // A trigger may remove the row again, or give it other values; only the first loses all of them.
    try checkIsThere(row)
    _ = try markSeen(conflict, restoredIn: row.localID)
    return row
  }
}

extension StoreError {
  /// Whether another record may be written all the same.
  fileprivate var concernsOneRecord: Bool {
    switch refusal {
    case .row, .table: return true
    case .transaction: return false
    case nil: break
    }
    let codes: [Code] = [
      .unknownClass, .unknownField, .wrongType, .numberTooLarge, .noSuchRecord, .duplicateObjectID,
    ]
    return codes.contains(code)
  }
}
