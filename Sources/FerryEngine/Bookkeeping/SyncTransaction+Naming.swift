// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

extension SyncReader {
  /// Another row that belongs to the record already, and its unsent changes; nil if there is none.
  func rival(for objectID: String, of key: RecordKey) throws(StoreError) -> RivalRow? {
    let row = try record(of: key.className, objectID: objectID)
      .flatMap { $0.localID == key.localID ? nil : $0 }
    let entry = try outboxEntries(of: key.className, objectIDs: [objectID])
      .first { $0.localID != key.localID }
    guard let row else { return entry.map { RivalRow(row: nil, entry: $0) } }
    let undeclared = try undeclaredFields(of: key.className, localIDs: [row.localID])
    return RivalRow(
      row: row, entry: entry, undeclared: undeclared[row.localID] ?? UndeclaredFields())
  }
}

extension SyncTransaction {
  /// Binds a row to a record of the server.
  ///
  /// Pointers to an id that the row loses become edits to send. A record has only one row: this
  /// removes another row of the record, and keeps its unsent edits as a conflict record.
  ///
  /// - Parameters:
  ///   - key: The row, or the entry of a row that the app deleted meanwhile.
  ///   - old: The row's earlier object id.
  ///   - objectID: The record's object id.
  ///   - createdAt: The record's creation time.
  ///   - now: The present time, for the conflict record.
  /// - Throws: `StoreError` if the store cannot be read or written.
  func name(
    _ key: RecordKey, from old: String, to objectID: String, createdAt: Timestamp, now: Timestamp
  ) throws(StoreError) {
    if let rival = try rival(for: objectID, of: key) {
      try dissolve(rival, into: key, objectID, now)
    }
    try bind(key, from: old, to: objectID, createdAt: createdAt)
    guard old != objectID, var entry = try entry(of: key) else { return }
    entry.rename(to: objectID)
    try put(entry)
  }

  /// Binds a row to a record that no other row has; its own entry keeps the old id.
  private func bind(
    _ key: RecordKey, from old: String, to objectID: String, createdAt: Timestamp
  ) throws(StoreError) {
    let referring = try old == objectID ? [] : entriesReferring(to: old, besides: key)
    try bindRow(key, from: old, to: objectID, createdAt: createdAt)
    for entry in referring { try put(entry) }
  }

  /// Binds the row of an entry to a record of the server, and returns the entry as it is then.
  func name(
    _ entry: OutboxEntry, to objectID: String, createdAt: Timestamp, now: Timestamp
  ) throws(StoreError) -> OutboxEntry {
    try name(entry.key, from: entry.objectID, to: objectID, createdAt: createdAt, now: now)
    return try self.entry(of: entry.key) ?? entry
  }

  /// Binds the row of an entry to a record of which `rival` has just said that no other row has it.
  ///
  /// The caller keeps the entry that this returns.
  func bind(
    _ entry: OutboxEntry, to objectID: String, createdAt: Timestamp
  ) throws(StoreError) -> OutboxEntry {
    try bind(entry.key, from: entry.objectID, to: objectID, createdAt: createdAt)
    // A pointer of the row to itself is another one now.
    var renamed = try self.entry(of: entry.key) ?? entry
    renamed.rename(to: objectID)
    return renamed
  }

  /// Lets pointers to a duplicate name the record that stays; they become edits to send.
  ///
  /// Another client may have linked the duplicate before any device discarded it.
  func redirectPointers(
    to className: String, from duplicate: String, to original: String
  ) throws(StoreError) {
    let edits = try entriesReferring(to: duplicate, of: className)
    try redirect(from: duplicate, to: original, of: className)
    for edit in edits { try put(edit) }
  }

  private func dissolve(
    _ rival: RivalRow, into key: RecordKey, _ objectID: String, _ now: Timestamp
  ) throws(StoreError) {
    let reference = RecordReference(
      className: key.className, localID: key.localID, objectID: objectID)
    if let conflict = rival.conflict(of: reference, now: now) { try recordConflict(conflict) }
    if let row = rival.row { try remove([row.localID], from: key.className) }
    if let entry = rival.entry { try keep(entry, isDone: true) }
  }

  /// The entries of other rows whose pointers are about to be replaced and that the server has.
  private func entriesReferring(
    to old: String, besides key: RecordKey
  ) throws(StoreError) -> [OutboxEntry] {
    let isKnown = try versions(of: key.className, objectIDs: [old])[old]?.createdAt != nil
    let mayBeKnown = try mayBeKnownToServer(old, of: key.className)
    guard isKnown || mayBeKnown else { return [] }
    return try entriesReferring(to: old, of: key.className).filter { $0.key != key }
  }

  private func entriesReferring(
    to old: String, of className: String
  ) throws(StoreError) -> [OutboxEntry] {
    let renaming = ObjectIDReplacement(
      pointer: Pointer(className: className, objectID: old), foldedThrough: try foldedThrough())
    var found: [OutboxEntry] = []
    for entity in schema.entities {
      guard let condition = entity.mayPoint(to: renaming.pointer) else { continue }
      let rows = try records(of: entity.name, where: condition)
      let present = try entries(rows.map(\.key))
      found += rows.compactMap { renaming.entry(for: $0, present[$0.key]) }
    }
    return found
  }
}
