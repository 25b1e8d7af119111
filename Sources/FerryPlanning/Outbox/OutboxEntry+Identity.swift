// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

extension OutboxEntry {
  package var key: RecordKey { RecordKey(className: className, localID: localID) }

  /// Names the record as the server does.
  var pointer: Pointer { Pointer(className: className, objectID: objectID) }

  /// The entry of a record whose row is gone, under a local id that no row has.
  package func moved(to localID: LocalID) -> OutboxEntry {
    var entry = self
    entry.localID = localID
    return entry
  }

  /// The record's object id if it is permanent: a server may replace a minted one.
  package var permanentID: String? {
    MintedID.matches(objectID) && createdAt == nil ? nil : objectID
  }
}
