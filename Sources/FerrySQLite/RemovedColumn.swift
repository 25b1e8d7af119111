// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// A field whose column another program has removed; Ferry has added it again, without values.
///
/// The values of unsent edits went with the column. Sent without them, the edits would clear what the server has.
struct RemovedColumn {
  let field: Field
  let className: String
  let classNumber: Int64
  /// The place of its values in the log.
  let position: Int

  /// Takes the unsent edits of the field out of log and outbox, in the open transaction of the store.
  ///
  /// - Throws: `StoreError` if the store cannot be read or written.
  func forgetEdits(in transaction: SQLiteSyncTransaction) throws(StoreError) {
    let start = try transaction.unfoldedMarks()
      .unfoldedStart(ofField: position, ofClass: classNumber)
    try transaction.statement(
      "UPDATE ferry_log SET v\(position) = NULL WHERE class = ? AND token > ?"
        + " AND author = \(Author.app.rawValue) AND kind IN \(LogKind.edits)"
        + " AND v\(position) IS NOT NULL"
    ).bound(classNumber, start).run()
    try transaction.forEachEntry(of: className, naming: field.name) { entry throws(StoreError) in
      var rest = entry
      if rest.leaveOut(field.name) {
        try transaction.removeOutboxEntry(of: rest.className, localID: rest.localID)
      } else if rest != entry {
        try transaction.put(rest)
      }
    }
    try noteEmptiness(in: transaction)
  }

  /// Lets the next sync fetch the values that the server has.
  private func noteEmptiness(in transaction: SQLiteSyncTransaction) throws(StoreError) {
    try transaction.statement(
      "INSERT INTO ferry_bookkeeping (key, json) VALUES (?1, json_object(?2, json_array(?3)))"
        + " ON CONFLICT (key) DO UPDATE SET json = json_set(json, '$.\"' || ?2 || '\"',"
        + " json_insert(ifnull(json_extract(json, '$.\"' || ?2 || '\"'), '[]'), '$[#]', ?3))"
    ).bound(EmptiedFields.key, className, field.name).run()
  }
}
