// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// Takes the edits of a field that the schema leaves out from the outbox back into the log.
///
/// A program without the field can neither send its values nor compare them. In the log the edits wait,
/// behind a mark, until a program folds that declares the field.
struct FieldRemoval {
  private let table: TableLayout
  private let column: CapturedColumn
  private let field: String

  /// The removals for all fields that a schema leaves out.
  private static func all(of layout: SchemaLayout) -> [FieldRemoval] {
    layout.allTables.flatMap { table in
      table.undeclared.compactMap { column in
        column.field.map { FieldRemoval(table: table, column: column, field: $0) }
      }
    }
  }

  /// Whether the outbox may have edits of such fields.
  static func isNeeded(in reader: SQLiteReader) throws(StoreError) -> Bool {
    for removal in all(of: reader.layout) {
      let entries = try reader.outboxEntries(
        of: removal.table.entity.name, naming: removal.field,
        after: LocalID(rawValue: .min), limit: 1)
      if !entries.isEmpty { return true }
    }
    return false
  }

  /// Moves the edits of all fields that the schema leaves out, in the open transaction of the store.
  ///
  /// No other program may sync meanwhile, since a sync works on the outbox.
  ///
  /// - Parameter transaction: The store, with the new schema installed.
  /// - Returns: Whether the outbox had such edits.
  /// - Throws: `StoreError` if the store cannot be read or written.
  static func performAll(in transaction: SQLiteSyncTransaction) throws(StoreError) -> Bool {
    var isFound = false
    for removal in all(of: transaction.layout) where try removal.perform(in: transaction) {
      isFound = true
    }
    return isFound
  }

  /// Moves the edits of all fields that the schema leaves out from an entry which this program made: it took
  /// back a delete, and with it the edits of a program with more fields.
  ///
  /// - Returns: The entry without these fields; nil if it is done.
  static func rest(
    of entry: OutboxEntry, in transaction: SQLiteSyncTransaction
  ) throws(StoreError) -> OutboxEntry? {
    let table = try transaction.layout.table(entry.className)
    var rest = entry
    for column in table.undeclared {
      guard let field = column.field, rest.changed.contains(field) else { continue }
      try FieldRemoval(table: table, column: column, field: field).log(rest, in: transaction)
      if rest.leaveOut(field) { return nil }
    }
    return rest
  }

  private func perform(in transaction: SQLiteSyncTransaction) throws(StoreError) -> Bool {
    var isFound = false
    try transaction.forEachEntry(of: table.entity.name, naming: field) { entry throws(StoreError) in
      guard entry.concerns(field) else { return }
      try move(entry, in: transaction)
      isFound = true
    }
    return isFound
  }

  private func move(
    _ entry: OutboxEntry, in transaction: SQLiteSyncTransaction
  ) throws(StoreError) {
    if entry.changed.contains(field), try staysUnsent(entry, in: transaction) {
      try log(entry, in: transaction)
    }
    try FieldReturn.remember(field, of: entry, column: column.name, in: transaction)
    var rest = entry
    if rest.leaveOut(field) {
      try transaction.removeOutboxEntry(of: rest.className, localID: rest.localID)
    } else {
      try transaction.put(rest)
    }
  }

  /// Whether the edit is still to be sent: not that of a deleted record, or of a create that the app took back.
  private func staysUnsent(
    _ entry: OutboxEntry, in transaction: SQLiteSyncTransaction
  ) throws(StoreError) -> Bool {
    switch entry.kind {
    case .delete: return false
    case .create:
      return try transaction.record(of: entry.className, localID: entry.localID) != nil
    case .update, .deleteAfterCreate: return true
    }
  }

  /// Writes the edit into the log; the server's value is the value before it.
  ///
  /// Folding reads the old value from the first edit, so an edit that the log has already gets it. The app may have
  /// deleted the row and inserted it again: then the row that was deleted gets it.
  private func log(
    _ entry: OutboxEntry, in transaction: SQLiteSyncTransaction
  ) throws(StoreError) {
    let base = entry.base[field] ?? .null
    let old = base.isNull ? none : base
    let present = try transaction.versions(of: entry.className, objectIDs: [entry.objectID])[
      entry.objectID]?.localID
    guard let first = try firstEdit(of: entry, isThere: present != nil, in: transaction) else {
      return try transaction.statement(
        "INSERT INTO ferry_log (class, author, kind, localId, \(place)) VALUES"
          + " (?, \(Author.app.rawValue), \(LogKind.update.rawValue), ?, ?)"
      ).bound(table.classNumber, entry.localID, old).run()
    }
    let note = try transaction.statement("UPDATE ferry_log SET \(place) = ? WHERE token = ?")
    try note.bound(first.isUpdate ? old : base, first.token).run()
    guard let present, first.isEmpty, !first.isUpdate, !base.isNull else { return }
    // The edit cleared the field. An empty field of an inserted row may also be one which its program left out.
    for insert in try inserts(of: entry, present: present, after: first.token, in: transaction) {
      try note.bound(base, insert).run()
    }
  }

  /// The first row of the log that folding reads the field's old value from.
  private func firstEdit(
    of entry: OutboxEntry, isThere: Bool, in transaction: SQLiteSyncTransaction
  ) throws(StoreError) -> (token: Int64, isUpdate: Bool, isEmpty: Bool)? {
    let start = try transaction.unfoldedMarks()
      .unfoldedStart(ofField: column.position, ofClass: table.classNumber)
    let isUpdate = "kind = \(LogKind.update.rawValue)"
    let rows = try transaction.statement(
      "SELECT token, kind, \(place) IS NULL FROM ferry_log WHERE class = ?1 AND token > ?2"
        + " AND author = \(Author.app.rawValue) AND (\(isUpdate)"
        + " AND localId = ?3 AND \(place) IS NOT NULL OR ?4 AND objectId = ?5"
        + " AND kind IN \(LogKind.removals)) ORDER BY token"
    ).bound(table.classNumber, start, entry.localID, isThere ? 1 : 0, entry.objectID)
      .rows { (token: $0.integer(0), kind: $0.integer(1), isEmpty: $0.integer(2) == 1) }
    // An insert may have displaced nothing.
    let displaced = LogKind.displaced.rawValue
    let replaced =
      try rows.contains { $0.kind == displaced }
      ? transaction.replacedTokens(after: start) : []
    return rows.first { $0.kind != displaced || replaced.contains($0.token) }
      .map { ($0.token, $0.kind == LogKind.update.rawValue, $0.isEmpty) }
  }

  /// The rows of the log that inserted the entry's record again, under whatever local ids, since it was removed.
  private func inserts(
    of entry: OutboxEntry, present: LocalID, after token: Int64,
    in transaction: SQLiteSyncTransaction
  ) throws(StoreError) -> [Int64] {
    var ends = try transaction.statement(
      "SELECT localId, token FROM ferry_log WHERE class = ? AND token > ? AND objectId = ?"
        + " AND author = \(Author.app.rawValue) AND kind IN \(LogKind.removals)"
    ).bound(table.classNumber, token, entry.objectID).rows { ($0.localID(0), $0.integer(1)) }
    ends.append((present, .max))
    let last = try transaction.statement(
      "SELECT token FROM ferry_log WHERE class = ? AND token > ? AND token < ? AND localId = ?"
        + " AND author = \(Author.app.rawValue) AND kind = \(LogKind.insert.rawValue)"
        + " ORDER BY token DESC LIMIT 1")
    var inserts: [Int64] = []
    for (localID, end) in ends {
      inserts += try last.bound(table.classNumber, token, end, localID).rows { $0.integer(0) }
    }
    return inserts
  }

  /// The column of the log with the field's old value.
  private var place: String { "v\(column.position)" }

  /// The old value of a field that had none.
  private var none: Value { column.holdsBytes ? .integer(0) : .bytes([]) }
}

extension SQLiteReader {
  /// Calls the closure with each entry of a class whose content may name a field; it may change the entry.
  func forEachEntry(
    of className: String, naming field: String,
    _ body: (OutboxEntry) throws(StoreError) -> Void
  ) throws(StoreError) {
    var last = LocalID(rawValue: .min)
    while true {
      let entries = try outboxEntries(of: className, naming: field, after: last, limit: 1000)
      guard let end = entries.last?.localID else { return }
      last = end
      for entry in entries { try body(entry) }
    }
  }

  /// A page of the entries of a class whose content may name a field.
  fileprivate func outboxEntries(
    of className: String, naming field: String, after localID: LocalID, limit: Int
  ) throws(StoreError) -> [OutboxEntry] {
    try statement(
      "\(Self.selectEntries) WHERE class = ? AND localId > ? AND instr(entry, ?) > 0"
        + " ORDER BY localId LIMIT ?"
    ).bound(className, localID, "\"\(field)\"", limit).rows(outboxEntry)
  }
}
