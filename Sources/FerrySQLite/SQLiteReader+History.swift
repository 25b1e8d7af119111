// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

extension SQLiteReader {
  func lastToken() throws -> HistoryToken {
    // Pruning always leaves the last row, so an empty log means an empty history.
    let last = try statement("SELECT max(token) FROM ferry_log").first { $0.integer(0) }
    return HistoryToken(rawValue: last ?? 0)
  }

  func token(ofReader name: String) throws -> HistoryToken {
    let token = try statement("SELECT token FROM ferry_reader WHERE name = ?").bound(name)
      .first { $0.integer(0) }
    return token.map(HistoryToken.init) ?? .start
  }

  func changes(after token: HistoryToken, limit: Int) throws -> [Change] {
    let pruned = try meta(.prunedThrough)
    guard token.rawValue >= pruned else {
      throw StoreError(
        .historyPruned,
        "History is kept from change \(pruned + 1) on, and what came after change "
          + "\(token.rawValue) was asked for. No data is lost: read the tables afresh, and go on "
          + "from the newest token.")
    }
    let log = try statement("SELECT * FROM ferry_log WHERE token > ? ORDER BY token")
      .bound(token.rawValue)
    defer { log.reset() }
    var changes: [Change] = []
    // Read only when the first note appears; most pages have none.
    var replaced: Set<Int64>?
    while changes.count < limit, try log.step() {
      var kind = LogKind(rawValue: log.integer(LogColumn.kind))
      if kind == .displaced {
        let known = try replaced ?? replacedTokens(after: log.integer(LogColumn.token) - 1)
        replaced = known
        kind = known.contains(log.integer(LogColumn.token)) ? .delete : nil
      }
      if let kind, let change = change(log, kind) { changes.append(change) }
    }
    return changes
  }

  private func change(_ row: SQLiteStatement, _ kind: LogKind) -> Change? {
    guard let table = layout.table(numbered: row.integer(LogColumn.classNumber)),
      let kind = Change.Kind(rawValue: Int(kind.rawValue))
    else { return nil }
    let first = row.localID(LogColumn.localID)
    let last = row.isNull(LogColumn.lastID) ? first : row.localID(LogColumn.lastID)
    return Change(
      token: HistoryToken(rawValue: row.integer(LogColumn.token)), className: table.entity.name,
      localIDs: first...max(first, last), kind: kind,
      fields: kind == .update ? Set(table.oldFields(at: row).values.keys) : [],
      author: Author(rawValue: row.count(LogColumn.author)) ?? .app)
  }

  func log(after token: HistoryToken) throws -> [LogRow] {
    let folded = try meta(.foldedThrough)
    let marks = try unfoldedMarks()
    let replaced = try replacedTokens(after: token.rawValue)
    return try statement(
      "SELECT * FROM ferry_log WHERE token > ? AND author = \(Author.app.rawValue) ORDER BY token"
    ).bound(token.rawValue).rows { row in
      let start = marks[row.integer(LogColumn.classNumber)] ?? folded
      return row.integer(LogColumn.token) > start ? logRow(row, replaced) : nil
    }.compactMap(\.self)
  }

  private func logRow(_ row: SQLiteStatement, _ replaced: Set<Int64>) -> LogRow? {
    guard let table = layout.table(numbered: row.integer(LogColumn.classNumber)),
      let kind = LogKind(rawValue: row.integer(LogColumn.kind))
    else { return nil }
    let token = row.integer(LogColumn.token)
    let what: LogRow.Kind
    switch kind {
    case .insert: what = .insert
    case .update: what = .update(old: table.oldFields(at: row))
    case .delete: what = .delete(old: table.oldRecord(at: row))
    case .displaced:
      guard replaced.contains(token) else { return nil }
      what = .delete(old: table.oldRecord(at: row))
    }
    return LogRow(
      token: HistoryToken(rawValue: token), className: table.entity.name,
      localID: row.localID(LogColumn.localID), kind: what)
  }

  func foldedThrough() throws -> HistoryToken {
    let marks = try unfoldedMarks().filter { layout.table(numbered: $0.key) != nil }
    return HistoryToken(rawValue: min(try meta(.foldedThrough), marks.values.min() ?? .max))
  }
}

/// The positions of the log's columns.
enum LogColumn {
  static let token = 0
  static let classNumber = 1
  static let author = 2
  static let kind = 3
  static let localID = 4
  static let lastID = 5
  static let objectID = 6
  static let acl = 7
  static let createdAt = 8
  static let updatedAt = 9
  /// The position of the first field's old value.
  static let values = 10
}

extension TableLayout {
  /// The old values of the fields that an update changed, null for a missing value.
  func oldFields(at row: SQLiteStatement) -> Fields {
    var old: [String: Value] = [:]
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
