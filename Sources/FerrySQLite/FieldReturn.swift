// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// Gives the outbox back what attempts sent of a field, where a program declares the field again.
///
/// `FieldRemoval` took it out for a program without the field.
struct FieldReturn {
  private static let prefix = "leftOut."

  private let key: String
  private let leftOut: AttemptsLeftOut

  /// Remembers what the attempts of an entry sent of a field.
  static func remember(
    _ field: String, of entry: OutboxEntry, in transaction: SQLiteSyncTransaction
  ) throws(StoreError) {
    guard let leftOut = AttemptsLeftOut(of: field, in: entry) else { return }
    try transaction.statement("INSERT OR REPLACE INTO ferry_meta (key, value) VALUES (?, ?)")
      .bound(
        "\(key(field, entry.className)).\(entry.localID)", WireJSON.text(of: leftOut)
      ).run()
  }

  /// Forgets what the attempts of records sent of a field, whatever local ids their rows had.
  static func forget(
    _ field: String, of objectIDs: [String], className: String,
    in transaction: SQLiteSyncTransaction
  ) throws(StoreError) {
    // The range is empty but after attempts without an answer, so that no list is read.
    try transaction.statement(
      "DELETE FROM ferry_meta WHERE key >= ?1 || '.' AND key < ?1 || '/'"
        + " AND ifnull((SELECT new FROM ferry_alias WHERE old = value ->> 'objectID'),"
        + " value ->> 'objectID') IN (SELECT value FROM json_each(?2))"
    ).bound(key(field, className), WireJSON.text(.array(objectIDs.map { .string($0) }))).run()
  }

  private static func key(_ field: String, _ className: String) -> String {
    "\(prefix)\(className).\(field)"
  }

  /// The returns of all fields that a schema declares.
  private static func all(in reader: SQLiteReader) throws(StoreError) -> [FieldReturn] {
    let question =
      "SELECT key, value FROM ferry_meta WHERE key >= 'leftOut.' AND key < 'leftOut/' ORDER BY key"
    let returns = try reader.statement(question).rows { row throws(StoreError) in
      FieldReturn(
        key: row.text(0),
        leftOut: try StoredJSON.columnNote(reading: row.text(1)))
    }
    return returns.filter {
      reader.schema.entity($0.leftOut.className)?.field($0.leftOut.field) != nil
    }
  }

  static func isNeeded(in reader: SQLiteReader) throws(StoreError) -> Bool {
    try !all(in: reader).isEmpty
  }

  /// Gives all of it back, in the open transaction of the store.
  ///
  /// The edits are folded first: the app may have edited the rows since, or deleted them.
  static func performAll(in transaction: SQLiteSyncTransaction) throws(StoreError) {
    guard try isNeeded(in: transaction) else { return }
    try transaction.fold()
    for each in try all(in: transaction) { try each.perform(in: transaction) }
  }

  private func perform(in transaction: SQLiteSyncTransaction) throws(StoreError) {
    try transaction.statement("DELETE FROM ferry_meta WHERE key = ?").bound(key).run()
    let row = try row(in: transaction)
    guard var entry = try entry(for: row, in: transaction) else { return }
    entry.giveBack(try translated(in: transaction), current: row?.fields)
    try transaction.put(entry)
  }

  /// The row; the app may have deleted it and inserted its record again, under any local id.
  private func row(in transaction: SQLiteSyncTransaction) throws(StoreError) -> Record? {
    try transaction.record(of: leftOut.className, objectID: leftOut.objectID)
  }

  /// The row's entry, or a new one of a row whose record is on the server.
  private func entry(
    for row: Record?, in transaction: SQLiteSyncTransaction
  ) throws(StoreError) -> OutboxEntry? {
    let objectID = row?.objectID ?? leftOut.objectID
    let entries = try transaction.outboxEntries(of: leftOut.className, objectIDs: [objectID])
    if let entry = entries.first { return entry }
    guard let row, row.createdAt != nil else { return nil }
    return OutboxEntry(editing: row, foldedThrough: try transaction.foldedThrough())
  }

  /// The values with the ids that the server has chosen since.
  private func translated(
    in transaction: SQLiteSyncTransaction
  ) throws(StoreError) -> AttemptsLeftOut {
    let ids = leftOut.mintedPointerIDs
    let aliases = try ids.isEmpty ? [:] : transaction.aliases(of: ids.sorted())
    return leftOut.replacingPointers { aliases[$0.objectID] }
  }
}
