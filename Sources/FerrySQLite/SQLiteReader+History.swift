// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

extension SQLiteReader {
  func lastToken() throws(StoreError) -> HistoryToken {
    if let fixed {
      try checkIsOpen()
      return fixed.last
    }
    // Pruning always leaves the last row, so an empty log means an empty history.
    let last = try statement("SELECT max(token) FROM ferry_log").first { $0.integer(0) }
    return HistoryToken(rawValue: last ?? 0)
  }

  func token(ofReader name: String) throws(StoreError) -> HistoryToken {
    let token = try statement("SELECT token FROM ferry_reader WHERE name = ?").bound(name)
      .first { $0.integer(0) }
    return token.map(HistoryToken.init) ?? .start
  }

  func forEachLogged(
    after token: HistoryToken, withValues: Bool,
    _ body: (LoggedChange) throws(StoreError) -> Bool
  ) throws(StoreError) {
    let pruned = try meta(.prunedThrough)
    guard token.rawValue >= pruned else { throw .historyPruned(through: pruned, asked: token) }
    let log = try statement("SELECT * FROM ferry_log WHERE token > ? ORDER BY token")
      .bound(token.rawValue)
    defer { log.reset() }
    // Read only when the first note appears; most pages have none.
    var replaced: Set<Int64>?
    while try log.step() {
      var kind = LogKind(rawValue: log.integer(LogColumn.kind))
      if kind == .displaced {
        let token = log.integer(LogColumn.token)
        if replaced == nil { replaced = try replacedTokens(after: token - 1) }
        kind = replaced?.contains(token) == true ? .delete : nil
      }
      guard let kind, let change = logged(log, kind, withValues: withValues) else { continue }
      guard try body(change) else { return }
    }
  }

  private func logged(
    _ row: SQLiteStatement, _ logKind: LogKind, withValues: Bool
  ) -> LoggedChange? {
    guard let table = layout.table(numbered: row.integer(LogColumn.classNumber)),
      let kind = Change.Kind(rawValue: Int(logKind.rawValue))
    else { return nil }
    let first = row.localID(LogColumn.localID)
    let last = row.isNull(LogColumn.lastID) ? first : row.localID(LogColumn.lastID)
    let fields = kind == .update ? Set(table.oldFields(at: row).values.keys) : []
    // Only fields that this schema does not declare changed.
    if kind == .update, fields.isEmpty { return nil }
    let author = Author(rawValue: row.count(LogColumn.author)) ?? .app
    return LoggedChange(
      Change(
        token: HistoryToken(rawValue: row.integer(LogColumn.token)), className: table.entity.name,
        localIDs: first...max(first, last), kind: kind, fields: fields, author: author),
      destroyed: withValues && (author == .app || kind == .update)
        ? table.logged(logKind, at: row) : nil)
  }

  func transactionNotes(after token: HistoryToken, limit: Int) throws(StoreError)
    -> [TransactionNote]
  {
    try statement(
      "SELECT \(TransactionNote.columns) FROM ferry_log_time WHERE token > ? AND firstToken IS NOT NULL"
        + " ORDER BY token LIMIT ?"
    ).bound(token.rawValue, limit).rows { TransactionNote($0) }
  }

  func newestNote(
    where isWanted: (TransactionNote) -> Bool
  ) throws(StoreError) -> TransactionNote? {
    let notes = try statement(
      "SELECT \(TransactionNote.columns) FROM ferry_log_time WHERE firstToken > ? ORDER BY token DESC"
    ).bound(try meta(.prunedThrough))
    defer { notes.reset() }
    while try notes.step() {
      let note = TransactionNote(notes)
      if isWanted(note) { return note }
    }
    return nil
  }

  func historyExtent() throws(StoreError) -> HistoryExtent {
    let readers = try statement("SELECT name, token FROM ferry_reader").rows {
      ($0.text(0), HistoryToken(rawValue: $0.integer(1)))
    }
    let since = try statement("SELECT time FROM ferry_log_time ORDER BY token LIMIT 1")
      .first { $0.timestamp(0) }
    return HistoryExtent(
      prunedThrough: HistoryToken(rawValue: try meta(.prunedThrough)), last: try lastToken(),
      since: since.flatMap(\.self),
      readers: Dictionary(readers, uniquingKeysWith: { first, _ in first }))
  }

  func historyByteCount() throws(StoreError) -> Int64? {
    let isKnown = try statement("SELECT 1 FROM pragma_module_list WHERE name = 'dbstat'")
      .first { _ in true }
    guard isKnown != nil else { return nil }
    return try statement(
      "SELECT sum(pgsize) FROM dbstat('main', 1) WHERE name IN ('ferry_log', 'ferry_log_time')"
    ).first { $0.integer(0) }
  }

  func forEachLogPlace(
    of className: String, after token: HistoryToken, _ selection: LogSelection,
    _ body: (LogPlace) throws(StoreError) -> Void
  ) throws(StoreError) {
    let table = try layout.table(className)
    let marks = try unfoldedMarks()
    let replaced = try replacedTokens(after: token.rawValue)
    let rows = try statement(
      "SELECT token, localId, kind, objectId FROM ferry_log WHERE token > ?1 AND class = ?2"
        + " AND author = \(Author.app.rawValue) \(selection.clause(of: table, marks))"
    ).bound(token.rawValue, table.classNumber)
    if case .row(let localID) = selection { try localID.bind(to: rows, at: 3) }
    defer { rows.reset() }
    while try rows.step() {
      let token = rows.integer(0)
      guard let kind = LogKind(rows, at: 2), kind != .displaced || replaced.contains(token),
        token > marks.start(ofClass: table.classNumber)
          || !marks.unfoldedPositions(of: table, at: token).isEmpty
      else { continue }
      try body(
        LogPlace(
          token: HistoryToken(rawValue: token), className: className, localID: rows.localID(1),
          goneObjectID: rows.optionalText(3)))
    }
  }

  func log(at tokens: [HistoryToken]) throws(StoreError) -> [LogRow] {
    let marks = try unfoldedMarks()
    return try each(tokens.map(\.rawValue), "SELECT * FROM ferry_log WHERE token = ?") { row in
      guard let table = layout.table(numbered: row.integer(LogColumn.classNumber)),
        let kind = LogKind(row, at: LogColumn.kind)
      else { return nil }
      let token = row.integer(LogColumn.token)
      let isWhole = token > marks.start(ofClass: table.classNumber)
      let what =
        isWhole
        ? table.logged(kind, at: row)
        : table.logged(kind, at: row, of: marks.unfoldedPositions(of: table, at: token))
      return what.map {
        LogRow(
          token: HistoryToken(rawValue: token), className: table.entity.name,
          localID: row.localID(LogColumn.localID), kind: $0)
      }
    }.compactMap(\.self)
  }

  /// The rows that removals in the log took, whether the removals are folded or not.
  func removedRows(
    at tokens: [HistoryToken]
  ) throws(StoreError) -> [(record: Record, token: HistoryToken)] {
    try each(tokens.map(\.rawValue), "SELECT * FROM ferry_log WHERE token = ?") { row in
      layout.table(numbered: row.integer(LogColumn.classNumber)).map {
        ($0.oldRecord(at: row), HistoryToken(rawValue: row.integer(LogColumn.token)))
      }
    }.compactMap(\.self)
  }

  func deletedFields(
    of className: String, objectIDs: [String]
  ) throws(StoreError) -> [String: Fields] {
    let table = try layout.table(className)
    let marks = try unfoldedMarks()
    let log = try statement(
      "SELECT * FROM ferry_log WHERE class = ?1 AND token <= ?2 AND kind = \(LogKind.delete.rawValue)"
        + " AND author = \(Author.app.rawValue)"
        + " AND objectId IN (SELECT value FROM json_each(?3)) ORDER BY token"
    ).bound(
      table.classNumber, marks.start(ofClass: table.classNumber),
      WireJSON.text(.array(objectIDs.map { .string($0) })))
    defer { log.reset() }
    var deleted: [String: Fields] = [:]
    while try log.step() {
      let unfolded = table.names(
        at: marks.unfoldedPositions(of: table, at: log.integer(LogColumn.token)))
      let record = table.oldRecord(at: log)
      deleted[record.objectID] = record.fields.only(
        Set(record.fields.values.keys).subtracting(unfolded))
    }
    return deleted
  }

  func editedClasses(after token: HistoryToken) throws(StoreError) -> Set<String> {
    let numbers = try statement(
      "SELECT DISTINCT class FROM ferry_log WHERE token > ? AND author = \(Author.app.rawValue)"
    ).bound(token.rawValue).rows { $0.integer(0) }
    return Set(numbers.compactMap { layout.table(numbered: $0)?.entity.name })
  }

  func newRowCount(of className: String, after token: HistoryToken) throws(StoreError) -> Int {
    let table = try layout.table(className)
    return try statement(
      """
      SELECT count(DISTINCT localId) FROM ferry_log WHERE token > ?1 AND class = ?2
      AND author = \(Author.app.rawValue) AND \(LogSelection.isNew(table, unfoldedMarks()))
      """
    ).bound(token.rawValue, table.classNumber).first { $0.count(0) } ?? 0
  }

  func foldedThrough() throws(StoreError) -> HistoryToken {
    HistoryToken(rawValue: try unfoldedMarks().start(for: layout))
  }
}

extension LogKind {
  fileprivate init?(_ row: SQLiteStatement, at column: Int) {
    self.init(rawValue: row.integer(column))
  }
}

extension TableLayout {
  /// The content of a log row; nil if it concerns only undeclared fields.
  fileprivate func logged(_ kind: LogKind, at row: SQLiteStatement) -> LogRow.Kind? {
    switch kind {
    case .insert: return .insert
    case .update:
      let old = oldFields(at: row)
      return old.isEmpty ? nil : .update(old: old)
    case .delete, .displaced: return .delete(old: oldRecord(at: row))
    }
  }

  /// The fields at positions of the log.
  fileprivate func names(at positions: Set<Int>) -> Set<String> {
    Set(zip(entity.fields, self.positions).filter { positions.contains($1) }.map(\.0.name))
  }

  /// The content of a log row for fields that a folding program did not know; the rest is folded already.
  fileprivate func logged(
    _ kind: LogKind, at row: SQLiteStatement, of positions: Set<Int>
  ) -> LogRow.Kind? {
    let names = names(at: positions)
    switch kind {
    case .insert:
      // `FieldRemoval` may have noted what the server has.
      return .lateInsert(old: names.nulls.merging(oldFields(at: row).only(names)))
    case .update:
      let old = oldFields(at: row).only(names)
      return old.isEmpty ? nil : .late(old: old, goneObjectID: nil)
    case .delete, .displaced:
      let record = oldRecord(at: row)
      return .late(
        old: names.nulls.merging(record.fields.only(names)), goneObjectID: record.objectID)
    }
  }
}

extension TransactionNote {
  fileprivate static let columns = "token, firstToken, time, author, step, isUndone"

  fileprivate init(_ row: SQLiteStatement) {
    let (first, last) = (row.integer(1), row.integer(0))
    self.init(
      tokens: HistoryToken(rawValue: min(first, last))...HistoryToken(rawValue: last),
      time: row.timestamp(2) ?? .earliest, author: Author(rawValue: row.count(3)) ?? .app,
      step: Step(rawValue: row.count(4)) ?? .edit, isUndone: row.integer(5) != 0)
  }
}

extension Set<String> {
  /// No value for any of the fields.
  fileprivate var nulls: Fields {
    Fields(Dictionary(uniqueKeysWithValues: map { ($0, .null) }))
  }
}

extension TableLayout {
  /// The old values of the fields that an update changed, and of the access list if it did; null for a missing value.
  func oldFields(at row: SQLiteStatement) -> Fields {
    var old: [String: Value] = [:]
    if !row.isNull(LogColumn.acl) {
      let isMissing = row.meansNoValue(LogColumn.acl, of: .object)
      let list = isMissing ? Value.null : row.value(LogColumn.acl, as: .object)
      old[Fields.accessList] = list.comparableAccessList
    }
    for (field, position) in zip(entity.fields, positions) {
      let column = LogColumn.values + position
      guard !row.isNull(column) else { continue }
      old[field.name] =
        row.meansNoValue(column, of: field.type) ? .null : row.value(column, as: field.type)
    }
    return Fields(old)
  }

  /// The row as it was before it was deleted.
  func oldRecord(at row: SQLiteStatement) -> Record {
    var fields: [String: Value] = [:]
    for (field, position) in zip(entity.fields, positions) {
      let value = row.value(LogColumn.values + position, as: field.type)
      if !value.isNull { fields[field.name] = value }
    }
    return Record(
      className: entity.name, localID: row.localID(LogColumn.localID),
      objectID: row.text(LogColumn.objectID), fields: Fields(fields),
      acl: row.value(LogColumn.acl, as: .object), createdAt: row.timestamp(LogColumn.createdAt),
      version: row.optionalText(LogColumn.updatedAt).map(ServerVersion.init))
  }
}
