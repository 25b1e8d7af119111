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
      let outbox = try rowsInOutbox(of: reader)
      let unsent = try rowsInLog(after: start, of: reader).union(outbox.sent)
      for localID in unsent.sorted() {
        guard try move(localID, in: reader) else { throw unfit(localID) }
      }
      for localID in outbox.sent.sorted() { try edit(localID, in: reader) }
      for (localID, base) in outbox.compared.sorted(by: { $0.key < $1.key })
      where !unsent.contains(localID) {
        try moveCompared(localID, base, in: reader)
      }
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

  /// Moves a value that the app did not edit, and that an entry compares with the server's.
  ///
  /// A value of the server that does not fit stays behind, as that of any other row. When the field has its former type
  /// again, the row has no value, and that is no edit: it gets the server's value, as the entry knows it.
  private func moveCompared(
    _ localID: LocalID, _ base: Value, in reader: SQLiteReader
  ) throws(StoreError) {
    let isEmpty = try reader.statement(
      "SELECT 1 FROM \(table) WHERE localId = ? AND \(formerColumn) IS NULL"
    ).bound(localID).first { _ in true }
    guard isEmpty == true, !base.isNull else {
      if try move(localID, in: reader) { try edit(localID, in: reader) }
      return
    }
    let update = try reader.statement("UPDATE \(table) SET \(column) = ?1 WHERE localId = ?2")
    try update.bind(1, field.type.accepts(base) ? base : .null, as: field.type)
    try localID.bind(to: update, at: 2)
    try update.run()
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

  /// The rows whose entries send the field, and the server's values in entries that only compare it.
  private func rowsInOutbox(
    of reader: SQLiteReader
  ) throws(StoreError) -> (sent: Set<LocalID>, compared: [LocalID: Value]) {
    var (sent, compared) = (Set<LocalID>(), [LocalID: Value]())
    try reader.forEachOutboxEntry { entry in
      guard entry.className == entity.name else { return }
      switch entry.kind {
      case .create: sent.insert(entry.localID)
      case .update where entry.changed.contains(field.name): sent.insert(entry.localID)
      case .update: compared[entry.localID] = entry.base[field.name]
      case .delete, .deleteAfterCreate: break
      }
    }
    return (sent, compared)
  }

  /// - Returns: Whether the new column can hold the row's value; nothing is moved if not.
  private func move(_ localID: LocalID, in reader: SQLiteReader) throws(StoreError) -> Bool {
    do throws(StoreError) {
      try reader.statement(
        "UPDATE \(table) SET \(column) = \(formerColumn), \(formerColumn) = NULL WHERE localId = ?"
      ).bound(localID).run()
      return true
    } catch {
      guard (error.cause as? SQLiteError)?.code == .constraintDataType else { throw error }
      return false
    }
  }

  private func unfit(_ localID: LocalID) -> StoreError {
    StoreError(
      .invalidSchema,
      "The field \(field.name) of the class \(entity.name) moves from the column \(formerColumn) to "
        + "\(column). The row \(localID) has an unsent value there that is not of the type "
        + "\(field.type.name). Nothing was changed. Correct the value in the table "
        + "\(entity.table), and open the store again.")
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
