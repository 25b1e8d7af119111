// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

extension WorldClass {
  /// The columns whose values a program takes over when it inserts rows anew.
  var keptColumns: [String] {
    (["objectId"] + entity.fields.map(\.column)).map { "\"\($0)\"" }
  }

  /// Statements of plain SQL, in which a program inserts all rows anew and reverses the order of their local ids.
  var renumbering: [String] {
    let kept = keptColumns.joined(separator: ", ")
    let copy = "renumbered_\(name)"
    return [
      "CREATE TABLE \(copy) AS SELECT localId, \(kept) FROM \"\(entity.table)\"",
      "DELETE FROM \"\(entity.table)\"",
      "INSERT INTO \"\(entity.table)\" (localId, \(kept))"
        + " SELECT (SELECT min(localId) + max(localId) FROM \(copy)) - localId, \(kept) FROM \(copy)",
      "DROP TABLE \(copy)",
    ]
  }
}
