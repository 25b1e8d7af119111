// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

extension ParsePage {
  /// Removes the records whose id another row of the page also has; Ferry cannot know which is
  /// right.
  ///
  /// - Parameters:
  ///   - recordRows: The row of each record.
  ///   - failureRows: The row of each failure.
  ///   - text: The page.
  /// - Throws: `PageError` where the rows cannot be cut out of the page.
  mutating func setAsideRepeatedIDs(
    recordRows: [Int], failureRows: [Int], in text: UnsafeBufferPointer<UInt8>
  ) throws(PageError) {
    var ids = Set<String>(minimumCapacity: rowCount)
    var repeated = Set<String>()
    for id in records.map(\.objectID) + failures.compactMap(\.objectID)
    where !ids.insert(id).inserted {
      repeated.insert(id)
    }
    guard !repeated.isEmpty else { return }
    guard let split = SplitPage(text), split.rows.count == rowCount else {
      throw PageError.malformed
    }
    let reason = "Its objectId occurs more than once on one page."
    var byRow: [(row: Int, failure: RecordFailure)] = []
    for (var failure, row) in zip(failures, failureRows) {
      if failure.objectID.map(repeated.contains) ?? false {
        failure.reason = reason
        failure.markedAsDeleted = nil
      }
      byRow.append((row, failure))
    }
    for (record, row) in zip(records, recordRows) where repeated.contains(record.objectID) {
      byRow.append((row, split.failure(row: row, of: record, reason: reason)))
    }
    failures = byRow.sorted { $0.row < $1.row }.map(\.failure)
    records.removeAll { repeated.contains($0.objectID) }
  }
}

extension SplitPage {
  /// The failure of a row that was read, with the id that its text may spell with escapes.
  fileprivate func failure(row: Int, of record: ServerRecord, reason: String) -> RecordFailure {
    var failure = failure(row: row, reason: reason)
    failure.objectID = record.objectID
    return failure
  }
}
