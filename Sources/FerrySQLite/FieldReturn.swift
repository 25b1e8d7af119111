// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// Gives the outbox back what it knew of a field, where a program declares the field again.
///
/// `FieldRemoval` took it out for a program without the field.
struct FieldReturn {
  private static let prefix = "leftOut."

  private let key: String
  private let leftOut: LeftOutField

  /// Remembers what an entry knows of a field beside its edit.
  static func remember(
    _ field: String, of entry: OutboxEntry, column: String, in transaction: SQLiteSyncTransaction
  ) throws(StoreError) {
    var rewritten: LeftOutField.Rewritten?
    if entry.rewritten.contains(field),
      let content = try content(of: column, in: entry.className, entry.localID, transaction)
    {
      rewritten = LeftOutField.Rewritten(content: content, end: try transaction.lastToken())
    }
    guard let leftOut = LeftOutField(of: field, in: entry, rewritten) else { return }
    try transaction.statement("INSERT OR REPLACE INTO ferry_meta (key, value) VALUES (?, ?)")
      .bound(
        "\(key(field, entry.className)).\(entry.localID)", WireJSON.text(of: leftOut)
      ).run()
  }

  /// The content of a row's column, as an SQL literal; nil without the row.
  private static func content(
    of column: String, in className: String, _ localID: LocalID,
    _ transaction: SQLiteSyncTransaction
  ) throws(StoreError) -> String? {
    let table = try transaction.layout.table(className)
    return try transaction.statement(
      "SELECT quote(\(column)) FROM \(table.table) WHERE localId = ?"
    )
    .bound(localID).first { $0.text(0) }
  }

  /// Forgets what is known of a field of records, whatever local ids their rows had.
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
    let returns = try all(in: transaction)
    guard !returns.isEmpty else { return }
    var rewritten = Set<String>()
    for each in returns where try each.isRewritten(in: transaction) {
      rewritten.insert(each.key)
    }
    try transaction.fold()
    // Folding may forget some of them.
    for each in try all(in: transaction) {
      try each.perform(isRewritten: rewritten.contains(each.key), in: transaction)
    }
  }

  private func perform(
    isRewritten: Bool, in transaction: SQLiteSyncTransaction
  ) throws(StoreError) {
    try transaction.statement("DELETE FROM ferry_meta WHERE key = ?").bound(key).run()
    let row = try row(in: transaction)
    guard var entry = try entry(for: row, in: transaction) else { return }
    entry.giveBack(
      try translated(in: transaction), current: row?.fields, isRewritten: isRewritten)
    try transaction.put(entry)
  }

  /// The row; the app may have deleted it and inserted its record again, under any local id.
  private func row(in transaction: SQLiteSyncTransaction) throws(StoreError) -> Record? {
    try transaction.record(of: leftOut.className, objectID: leftOut.objectID)
  }

  /// Whether the row has the value that the engine wrote by itself, and nobody has written to the field since.
  ///
  /// It must be asked before the log is folded, and so perhaps shortened.
  private func isRewritten(in transaction: SQLiteSyncTransaction) throws(StoreError) -> Bool {
    guard let rewritten = leftOut.rewritten, let row = try row(in: transaction) else {
      return false
    }
    let table = try transaction.layout.table(row.className)
    let content = try Self.content(
      of: table.column(leftOut.field), in: row.className, row.localID, transaction)
    guard content == rewritten.content,
      let place = table.captured.first(where: { $0.field == leftOut.field })?.position
    else { return false }
    return try transaction.statement(
      "SELECT 1 FROM ferry_log WHERE token > ? AND class = ? AND localId = ?"
        + " AND author = \(Author.app.rawValue) AND kind = \(LogKind.update.rawValue)"
        + " AND v\(place) IS NOT NULL LIMIT 1"
    ).bound(rewritten.end.rawValue, table.classNumber, row.localID).first { _ in true } == nil
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
  ) throws(StoreError) -> LeftOutField {
    let ids = leftOut.mintedPointerIDs
    let aliases = try ids.isEmpty ? [:] : transaction.aliases(of: ids.sorted())
    return leftOut.replacingPointers { aliases[$0.objectID] }
  }
}
