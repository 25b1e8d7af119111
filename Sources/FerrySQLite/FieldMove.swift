// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// Takes a field's values along when its column changes, so that no unsent edit stays behind.
///
/// If the type stays, all values move. A column of another type gets the numbers that it can hold, and the next sync
/// fills it. Values that may be unsent must move. The log's old values of the field move, too: folding reads both.
struct FieldMove {
  let entity: Entity
  let field: Field
  let classNumber: Int64
  let position: Int
  /// The former column's name, quoted.
  let formerColumn: String
  let formerPosition: Int
  let formerType: String

  private var table: String { SQLText.name(entity.table) }
  private var column: String { SQLText.name(field.column) }
  private var keepsType: Bool { formerType == field.type.name }

  /// Moves the values, in the open transaction of the store.
  ///
  /// - Parameter reader: The store, with the new schema installed.
  /// - Throws: `invalidSchema` if the new column cannot hold an unsent value; `StoreError` if the store
  ///   cannot be read or written.
  func perform(in reader: SQLiteReader) throws(StoreError) {
    let start = try start(in: reader)
    try moveLog(after: keepsType ? 0 : start, in: reader)
    if keepsType {
      try reader.statement(
        "UPDATE \(table) SET \(column) = \(formerColumn), \(formerColumn) = NULL"
          + " WHERE \(formerColumn) IS NOT NULL OR \(column) IS NOT NULL"
      ).run()
    } else {
      try convert(in: reader)
      let folded = try rowsInOutbox(of: reader)
      for localID in try rowsInLog(after: start, of: reader).union(folded).sorted() {
        try move(localID, in: reader)
      }
      for localID in folded.sorted() { try edit(localID, in: reader) }
    }
    try moveMark(in: reader)
  }

  /// Gives the new column the numbers that both types have, and no other.
  ///
  /// It may have been the field's column before, and what is in it is out of date then. Only a sync can have brought
  /// a number that does not fit, and the next sync then lists the class anew.
  private func convert(in reader: SQLiteReader) throws(StoreError) {
    guard numbersMove else { return }
    let present = "iif(\(numberFits), \(formerColumn), NULL)"
    try reader.statement(
      "UPDATE \(table) SET \(column) = \(present) WHERE \(column) IS NOT \(present)"
    ).run()
  }

  private var numbersMove: Bool {
    let numbers = [FieldType.integer.name, FieldType.number.name]
    return numbers.contains(formerType) && numbers.contains(field.type.name)
  }

  /// Whether the former column's number fits the new one, as SQL.
  private var numberFits: String {
    field.type == .number ? "TRUE" : "CAST(\(formerColumn) AS INTEGER) = \(formerColumn)"
  }

  /// The new column belonged to no field, so its own mark says nothing about the field.
  private func moveMark(in reader: SQLiteReader) throws(StoreError) {
    let (former, new) = (
      UnfoldedMarks.key(classNumber, formerPosition), UnfoldedMarks.key(classNumber, position)
    )
    try reader.statement("DELETE FROM ferry_meta WHERE key = ?").bound(new).run()
    try reader.statement("UPDATE ferry_meta SET key = ? WHERE key = ?").bound(new, former).run()
  }

  /// The token after which the log has edits of the field that are not in the outbox.
  private func start(in reader: SQLiteReader) throws(StoreError) -> Int64 {
    let marks = try reader.unfoldedMarks()
    return min(
      marks.start(ofClass: classNumber),
      marks.start(ofField: formerPosition, ofClass: classNumber) ?? .max)
  }

  /// Other programs may have written into the new column before; their writes are no edits of the field.
  private func moveLog(after start: Int64, in reader: SQLiteReader) throws(StoreError) {
    let (from, to) = ("v\(formerPosition)", "v\(position)")
    let formerNone = Self.noValue(isBytes: formerType == FieldType.bytes.name)
    try reader.statement(
      "UPDATE ferry_log SET \(to) = iif(\(from) IS \(formerNone), \(noValue), \(from)),"
        + " \(from) = NULL WHERE class = ? AND token > ?"
        + " AND (\(from) IS NOT NULL OR \(to) IS NOT NULL)"
    ).bound(classNumber, start).run()
  }

  /// The rows with edits of the field, or without a record on the server, that are not in the outbox.
  private func rowsInLog(
    after start: Int64, of reader: SQLiteReader
  ) throws(StoreError) -> Set<LocalID> {
    Set(
      try reader.statement(
        "SELECT DISTINCT localId FROM ferry_log WHERE class = ? AND token > ?"
          + " AND author = \(Author.app.rawValue)"
          + " AND (kind = \(LogKind.insert.rawValue) OR v\(position) IS NOT NULL)"
      ).bound(classNumber, start).rows { $0.localID(0) })
  }

  /// The rows whose entries send the field, or compare it.
  private func rowsInOutbox(of reader: SQLiteReader) throws(StoreError) -> Set<LocalID> {
    var found = Set<LocalID>()
    try reader.forEachOutboxEntry { entry in
      guard entry.className == entity.name else { return }
      switch entry.kind {
      case .create: found.insert(entry.localID)
      case .update where entry.changed.contains(field.name) || entry.base[field.name] != nil:
        found.insert(entry.localID)
      case .update, .delete, .deleteAfterCreate: break
      }
    }
    return found
  }

  private func move(_ localID: LocalID, in reader: SQLiteReader) throws(StoreError) {
    do {
      try reader.statement(
        "UPDATE \(table) SET \(column) = \(formerColumn), \(formerColumn) = NULL WHERE localId = ?"
      ).bound(localID).run()
    } catch {
      throw StoreError(
        .invalidSchema,
        "The field \(field.name) of the class \(entity.name) moves from the column \(formerColumn) to "
          + "\(column). The row \(localID) has an unsent value there that is not of the type "
          + "\(field.type.name). Nothing was changed. Correct the value in the table "
          + "\(entity.table), and open the store again.", cause: error)
    }
  }

  /// Adds an edit to the log, so that an entry that waits for an edit is sent.
  private func edit(_ localID: LocalID, in reader: SQLiteReader) throws(StoreError) {
    try reader.statement(
      "INSERT INTO ferry_log (class, author, kind, localId, v\(position)) VALUES"
        + " (?, \(Author.app.rawValue), \(LogKind.update.rawValue), ?, \(noValue))"
    ).bound(classNumber, localID).run()
  }

  private var noValue: String { Self.noValue(isBytes: field.type == .bytes) }

  /// The old value in the log of a field that had none.
  static func noValue(isBytes: Bool) -> String { isBytes ? "0" : "X''" }
}
