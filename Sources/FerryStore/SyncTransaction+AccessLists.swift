// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel
package import FerryPlanning

extension SyncTransaction {
  /// Gives a row without an access list the one that its record has on the server, as far as anybody knows.
  package func completeAccessList(of key: RecordKey, by acl: Value) throws(StoreError) {
    guard !acl.isNull, let row = try record(of: key.className, localID: key.localID),
      row.acl.isNull
    else { return }
    try setAccessList(acl, of: key.className, localID: key.localID)
  }
}
