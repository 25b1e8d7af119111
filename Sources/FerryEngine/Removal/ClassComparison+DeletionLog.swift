// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

extension ClassComparison {
  /// Adds what the server's Cloud Code names as deleted to the differences, as far as there is something of it here.
  func take(
    _ named: Set<String>, _ difference: inout RangeDifference, _ set: inout ComparedRecords
  ) throws(ClassError) {
    guard !named.isEmpty else { return }
    let rows = try context.read { reader throws(StoreError) in
      try reader.versions(of: entity.name, objectIDs: named.sorted())
    }
    difference.take(named: named, rows: rows.compactMapValues(\.createdAt), &set)
  }

  /// The position from which the next sync reads the log on; nil if that one begins anew.
  ///
  /// It moves only if each record that the log named is settled. It stays while pages wait for their import, which may
  /// show records from before their deletion.
  func position(
    after log: DeletionLogReading.Finding, _ outcome: MissingRemoval.Outcome, _ state: ClassState
  ) throws(ClassError) -> LogPosition? {
    guard let next = log.next else { return state.logPosition }
    guard case .settled = outcome else { return nil }
    let isStaged = try context.endingRun { () throws(SyncError) in
      try context.staging.listing(of: entity.name) != nil
    }
    return isStaged || state.importing != nil ? state.logPosition : next
  }
}
