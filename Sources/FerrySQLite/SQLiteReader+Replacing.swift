// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore

// REPLACE removes rows without firing a delete trigger. So a trigger notes, before each insert, the
// rows that the insert may replace. Only later log rows show whether it did: an UPSERT or an
// ignored insert did not.
extension SQLiteReader {
  private struct Row: Hashable {
    var classNumber: Int64
    var localID: Int64
  }

  private struct Run {
    var classNumber: Int64
    var localIDs: ClosedRange<Int64>
    var kind: LogKind
    var token: Int64
  }

  /// The tokens of the notes, after a position in history, whose row an insert really replaced.
  ///
  /// A row was replaced if its next log row is an insert, or if it has no later log row and is
  /// gone. Otherwise the insert left the row alone. Updates do not count: a trigger of the app may update the new row
  /// before the log has its insert.
  func replacedTokens(after token: Int64) throws(StoreError) -> Set<Int64> {
    let hasNotes = try statement(
      "SELECT 1 FROM ferry_log WHERE token > ? AND kind = \(LogKind.displaced.rawValue) LIMIT 1"
    ).bound(token).first { _ in true }
    guard hasNotes == true else { return [] }
    var replaced = Set<Int64>()
    var next: [Row: (kind: LogKind, token: Int64)] = [:]
    var runs: [Run] = []
    let log = try statement(
      "SELECT token, class, kind, localId, lastId FROM ferry_log WHERE token > ?"
        + " AND kind <> \(LogKind.update.rawValue) ORDER BY token DESC"
    ).bound(token)
    defer { log.reset() }
    while try log.step() {
      guard let kind = LogKind(rawValue: log.integer(2)) else { continue }
      let row = Row(classNumber: log.integer(1), localID: log.integer(3))
      let run = runs.last { $0.classNumber == row.classNumber && $0.localIDs.contains(row.localID) }
      if kind == .displaced {
        let event = next[row].flatMap { $0.token < run?.token ?? .max ? $0.kind : nil }
        switch event ?? run?.kind {
        case .insert?: replaced.insert(log.integer(0))
        case .update?, .delete?, .displaced?: break
        case nil: if try !exists(row) { replaced.insert(log.integer(0)) }
        }
      }
      next[row] = (kind, log.integer(0))
      if !log.isNull(4), log.integer(4) > row.localID {
        runs.append(
          Run(
            classNumber: row.classNumber, localIDs: row.localID...log.integer(4), kind: kind,
            token: log.integer(0)))
      }
    }
    return replaced
  }

  private func exists(_ row: Row) throws(StoreError) -> Bool {
    guard let table = try table(ofClass: row.classNumber) else { return true }
    return try statement("SELECT 1 FROM \(table) WHERE localId = ?").bound(row.localID)
      .first { _ in true } == true
  }

  /// The table of a class, also of one that the schema leaves out; nil if there is none.
  private func table(ofClass number: Int64) throws(StoreError) -> String? {
    if let table = layout.table(numbered: number) { return table.table }
    return try statement(
      "SELECT c.tableName FROM ferry_class c JOIN sqlite_schema s ON s.name = c.tableName"
        + " COLLATE NOCASE WHERE c.number = ? AND s.type = 'table'"
    ).bound(number).first { SQLText.name($0.text(0)) }
  }

  /// The number of confirmed rows that the app deleted or replaced in a range of history, by class
  /// number.
  func deletedCounts(after token: Int64, through last: Int64) throws(StoreError) -> [Int64: Int] {
    let range =
      "FROM ferry_log WHERE token > ? AND token <= ? AND author = \(Author.app.rawValue)"
      + " AND createdAt IS NOT NULL AND kind ="
    var counts: [Int64: Int] = [:]
    let deleted = try statement(
      "SELECT class, count(*) \(range) \(LogKind.delete.rawValue) GROUP BY class"
    ).bound(token, last).rows { ($0.integer(0), $0.count(1)) }
    for (classNumber, count) in deleted { counts[classNumber] = count }
    let replaced = try replacedTokens(after: token)
    guard !replaced.isEmpty else { return counts }
    let notes = try statement("SELECT class, token \(range) \(LogKind.displaced.rawValue)")
      .bound(token, last).rows { ($0.integer(0), $0.integer(1)) }
    for (classNumber, token) in notes where replaced.contains(token) {
      counts[classNumber, default: 0] += 1
    }
    return counts
  }
}
