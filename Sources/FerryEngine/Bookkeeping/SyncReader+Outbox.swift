// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

extension SyncReader {
  /// Entries by key, read class by class.
  func entries(_ keys: some Sequence<RecordKey>) throws(StoreError) -> [RecordKey: OutboxEntry] {
    var entries: [RecordKey: OutboxEntry] = [:]
    for (className, keys) in Dictionary(grouping: keys, by: \.className) {
      for entry in try outboxEntries(of: className, localIDs: keys.map(\.localID)) {
        entries[entry.key] = entry
      }
    }
    return entries
  }

  /// The entry of a row; nil if it has none.
  func entry(of key: RecordKey) throws(StoreError) -> OutboxEntry? {
    try outboxEntries(of: key.className, localIDs: [key.localID]).first
  }

  /// Rows by key, read class by class.
  func rows(_ keys: some Sequence<RecordKey>) throws(StoreError) -> [RecordKey: Record] {
    var rows: [RecordKey: Record] = [:]
    for (className, keys) in Dictionary(grouping: keys, by: \.className) {
      for record in try records(of: className, localIDs: keys.map(\.localID)) {
        rows[record.key] = record
      }
    }
    return rows
  }

  /// The present fields and the access list of a row; nil if it is gone.
  func contents(of key: RecordKey) throws(StoreError) -> Fields? {
    try record(of: key.className, localID: key.localID)?.contents
  }

  /// The field of the soft-delete mark on a record whose row the store lost before; nil without such a mark.
  ///
  /// If the app inserted the row again under that id, as an undo does, then it knew of the deletion and takes
  /// the mark back.
  func formerMark(on record: ServerRecord, of entity: Entity) throws(StoreError) -> String? {
    guard let mark = entity.mark(on: record) else { return nil }
    return try formerIDs(of: entity.name, among: [record.objectID]).isEmpty ? nil : mark
  }
}

extension SyncTransaction {
  /// Remembers the ids of a delete's record, and what the app knew of it: an undo compares with that.
  func remember(_ entry: OutboxEntry) throws(StoreError) {
    try remember(
      entry.localID, objectID: entry.objectID, of: entry.className, lastKnown: entry.knownToApp)
  }

  /// Keeps an entry, or removes it if it is done.
  ///
  /// Of a record that is gone with its row, the store remembers the ids.
  func keep(
    _ entry: OutboxEntry, isDone: Bool, isForgotten: Bool = false
  ) throws(StoreError) {
    // A listing may show the record with the mark before the answer to the delete comes.
    if isForgotten || isDone && entry.kind == .delete {
      try remember(entry)
    }
    if isDone {
      // Rows may still point to it.
      if entry.isTakenBack { try noteWithdrawn(entry.objectID, of: entry.className) }
      try removeOutboxEntry(of: entry.className, localID: entry.localID)
    } else {
      try put(entry)
    }
  }
}
