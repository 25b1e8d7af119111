// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

extension ClassComparison {
  /// Adds what the deletion log says to the differences, as far as there is something of these records here.
  func take(
    _ log: DeletionLogReading.Finding, _ difference: inout RangeDifference,
    _ set: inout ComparedRecords
  ) throws(ClassError) {
    guard !log.objectIDs.isEmpty else { return }
    let rows = try context.read { reader throws(StoreError) in
      try reader.versions(of: entity.name, objectIDs: log.objectIDs.sorted())
    }
    difference.take(logged: log.objectIDs, rows: rows.compactMapValues(\.createdAt), &set)
  }

  /// The position from which the next sync reads the log on; nil if that one begins anew.
  ///
  /// It moves only if each record that the log named is settled. It stays while pages wait for their import, which may
  /// show records from before their deletion.
  func position(
    after log: DeletionLogReading.Finding, _ outcome: MissingRemoval.Outcome, _ state: ClassState
  ) throws(ClassError) -> LogPosition? {
    guard let next = log.next else { return state.logPosition }
    guard outcome == .settled else { return nil }
    let isStaged = try context.endingRun { () throws(SyncError) in
      try context.staging.listing(of: entity.name) != nil
    }
    return isStaged || state.importing != nil ? state.logPosition : next
  }
}
