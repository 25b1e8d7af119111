// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

// A program may open the store with fewer classes or fields than another: an older version of the
// app, or a tool. The edits of what it does not know it cannot fold. They stay in the log, behind a
// mark, until a program folds that knows the class or field.
extension SQLiteReader {
  /// Reads the marks.
  func unfoldedMarks() throws(StoreError) -> UnfoldedMarks {
    if let marks = fixed?.unfolded {
      try checkIsOpen()
      return marks
    }
    var marks = UnfoldedMarks(foldedThrough: try meta(.foldedThrough))
    let rows = try statement(
      "SELECT key, value FROM ferry_meta WHERE key >= 'unfolded.' AND key < 'unfolded/'"
    ).rows { ($0.text(0), $0.integer(1)) }
    for (key, token) in rows { marks.add(token, key: key) }
    fixed?.unfolded = marks
    return marks
  }

  func unfoldedRowCounts() throws(StoreError) -> UnfoldedRowCounts {
    let marks = try unfoldedMarks()
    var counts = UnfoldedRowCounts(classes: try rowsOfUnregisteredClasses(behind: marks))
    for table in layout.allTables { try count(table, behind: marks, into: &counts) }
    return counts
  }

  private func rowsOfUnregisteredClasses(
    behind marks: UnfoldedMarks
  ) throws(StoreError) -> [String: Int] {
    let edited = try statement(
      "SELECT count(DISTINCT l.localId) FROM ferry_log l WHERE l.class = ?1 AND l.token > ?2"
        + " AND l.author = \(Author.app.rawValue) AND NOT EXISTS"
        + " (SELECT 1 FROM ferry_outbox o WHERE o.class = ?3 AND o.localId = l.localId)")
    let classes = try statement("SELECT number, name FROM ferry_class").rows {
      ($0.integer(0), $0.text(1))
    }
    var counts: [String: Int] = [:]
    for (number, name) in classes where schema.entity(name) == nil {
      counts[name] =
        try edited.bound(number, marks.start(ofClass: number), name).first { $0.count(0) } ?? 0
    }
    return counts
  }

  /// Counts the rows with edits of fields that the schema leaves out: for each field, and each row once.
  private func count(
    _ table: TableLayout, behind marks: UnfoldedMarks, into counts: inout UnfoldedRowCounts
  ) throws(StoreError) {
    var edited: [String] = []
    for column in table.undeclared {
      guard let field = column.field else { continue }
      let rows = Self.editedRows(column, of: table, behind: marks)
      let count = try statement("SELECT count(*) FROM (\(rows))").first { $0.count(0) } ?? 0
      guard count > 0 else { continue }
      counts.fields[table.entity.name, default: [:]][field] = count
      edited.append(rows)
    }
    guard !edited.isEmpty else { return }
    counts.rowsByFields[table.entity.name] =
      try statement("SELECT count(*) FROM (\(edited.joined(separator: " UNION ")))")
      .first { $0.count(0) }
  }

  /// A query for the rows that hold another value in a column than they had when the log was last folded
  /// for it.
  ///
  /// The first edit of a row since its insert says the old value; the insert gave the column its default, unless it
  /// says otherwise. Edits before the insert are those of a record that had the local id before.
  static func editedRows(
    _ column: CapturedColumn, of table: TableLayout, behind marks: UnfoldedMarks
  ) -> String {
    let old = "v\(column.position)"
    let start = marks.unfoldedStart(ofField: column.position, ofClass: table.classNumber)
    let log =
      "FROM ferry_log WHERE token > \(start) AND class = \(table.classNumber)"
      + " AND author = \(Author.app.rawValue)"
    let isInsert = "kind = \(LogKind.insert.rawValue)"
    let inserts = "SELECT localId, max(token) AS token \(log) AND \(isInsert) GROUP BY localId"
    let all =
      "SELECT localId, kind, \(old) AS old, token \(log) AND (\(isInsert)"
      + " OR kind = \(LogKind.update.rawValue) AND \(old) IS NOT NULL)"
    let edits =
      "SELECT a.localId, a.kind, a.old, min(a.token) FROM (\(all)) a"
      + " LEFT JOIN (\(inserts)) i ON i.localId = a.localId"
      + " WHERE a.token >= ifnull(i.token, 0) GROUP BY a.localId"
    let now = "t.\(column.name)"
    return "SELECT e.localId FROM (\(edits)) e CROSS JOIN \(table.table) t ON t.localId = e.localId"
      + " WHERE CASE WHEN e.kind = \(LogKind.insert.rawValue) AND e.old IS NULL"
      + " THEN \(now) IS NOT NULL AND \(now) IS NOT (\(column.defaultText))"
      + " ELSE \(now) IS NOT iif(e.old IS \(column.noValue), NULL, e.old) END"
  }

  /// Sets and removes marks before folding is recorded up to a token.
  func markUnfolded(through token: Int64) throws(StoreError) {
    let marks = try unfoldedMarks()
    for table in layout.allTables {
      let start = marks.start(ofClass: table.classNumber)
      for key in marks.keys(knownTo: table) {
        try statement("DELETE FROM ferry_meta WHERE key = ?").bound(key).run()
      }
      for column in table.undeclared
      where try wasEdited(column, of: table, after: start, through: token) {
        try setMark(UnfoldedMarks.key(table.classNumber, column.position), to: start)
      }
    }
    let edited = try statement(
      "SELECT DISTINCT class FROM ferry_log WHERE token > ? AND token <= ? AND author = "
        + "\(Author.app.rawValue)"
    ).bound(marks.foldedThrough, token).rows { $0.integer(0) }
    for number in edited where layout.table(numbered: number) == nil {
      try setMark(UnfoldedMarks.key(number), to: marks.foldedThrough)
    }
  }

  /// An earlier mark stays.
  private func setMark(_ key: String, to token: Int64) throws(StoreError) {
    try statement("INSERT OR IGNORE INTO ferry_meta (key, value) VALUES (?, ?)").bound(key, token)
      .run()
  }

  /// Whether the app changed a column, or inserted rows with another value in it than the default.
  private func wasEdited(
    _ column: CapturedColumn, of table: TableLayout, after start: Int64, through end: Int64
  ) throws(StoreError) -> Bool {
    let rows =
      "ferry_log l WHERE l.token > ?1 AND l.token <= ?2 AND l.class = ?3"
      + " AND l.author = \(Author.app.rawValue) AND l.kind"
    let old = "l.v\(column.position)"
    let updated = try statement(
      "SELECT 1 FROM \(rows) = \(LogKind.update.rawValue) AND \(old) IS NOT NULL"
    ).bound(start, end, table.classNumber).first { _ in true }
    if updated == true { return true }
    let now = "t.\(column.name)"
    let inserted = try statement(
      "SELECT 1 FROM \(rows) = \(LogKind.insert.rawValue) AND EXISTS (SELECT 1 FROM \(table.table) t"
        + " WHERE t.localId = l.localId AND iif(\(old) IS NULL, \(now) IS NOT NULL"
        + " AND \(now) IS NOT (\(column.defaultText)), \(now) IS NOT \(old)))"
    ).bound(start, end, table.classNumber).first { _ in true }
    return inserted == true
  }
}
