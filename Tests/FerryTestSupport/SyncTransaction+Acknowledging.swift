// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel
import FerryPlanning
package import FerryStore

extension SyncTransaction {
  /// Binds a row to its record, and gives its entry the record's id too, as the engine does.
  package func acknowledgeCreate(
    of className: String, localID: LocalID, objectID: String, createdAt: Timestamp
  ) throws(StoreError) {
    let entry = try outboxEntries(of: className, localIDs: [localID]).first
    // The app may have deleted the row meanwhile; pointers and the outbox still use its old id.
    let row = try record(of: className, localID: localID)
    guard let old = row?.objectID ?? entry?.objectID else {
      throw StoreError.noSuchRecord(className, localID)
    }
    let key = RecordKey(className: className, localID: localID)
    try bindRow(key, from: old, to: objectID, createdAt: createdAt)
    guard old != objectID,
      var renamed = try outboxEntries(of: className, localIDs: [localID]).first
    else { return }
    renamed.rename(to: objectID)
    try put(renamed)
  }
}
