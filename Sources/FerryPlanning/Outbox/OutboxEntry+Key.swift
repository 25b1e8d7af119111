// Ferry: offline-first sync for Parse Server. MIT licence.

extension OutboxEntry {
  package var key: RecordKey { RecordKey(className: className, localID: localID) }
}
