// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

extension OutboxEntry {
  package var key: RecordKey { RecordKey(className: className, localID: localID) }

  /// The record's object id if it is permanent: a server may replace a minted one.
  package var permanentID: String? {
    MintedID.matches(objectID) && createdAt == nil ? nil : objectID
  }
}
