// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

extension SQLiteSyncTransaction {
  func bindRow(
    _ key: RecordKey, from old: String, to objectID: String, createdAt: Timestamp
  ) throws(StoreError) {
    let table = try layout.table(key.className)
    let before = try statement("SELECT createdAt FROM \(table.table) WHERE localId = ?")
      .bound(key.localID).first { !$0.isNull(0) }
    if let wasAcknowledged = before {
      let update = try statement(
        "UPDATE \(table.table) SET objectId = ?, createdAt = ? WHERE localId = ?")
      try table.explainingDuplicates(of: objectID) { () throws(StoreError) in
        try update.bound(objectID, createdAt, key.localID).run()
      }
      try refuseIgnored(table)
      if !wasAcknowledged {
        try countAcknowledged(1, of: table)
        try FieldRestoration.perform(
          for: objectID, createdAt: createdAt, of: table, in: self)
      }
    } else {
      noteBinding(RowBinding(key: key, from: old, to: objectID, createdAt: createdAt))
    }
    guard old != objectID else { return }
    let mayBeKnown = try mayBeKnownToServer(old, of: key.className)
    try rename(
      from: old, to: objectID, of: key.className, isKnown: before == true || mayBeKnown)
  }

  func bindNewRows(_ bindings: [RowBinding]) throws(StoreError) -> Bool {
    for (className, bindings) in Dictionary(grouping: bindings, by: \.key.className) {
      try bindNewRows(bindings, of: try layout.table(className))
    }
    let renamed = bindings.filter { $0.old != $0.objectID }
    guard try mayBePointedTo(renamed.map(\.old)) else {
      try addAliases(of: renamed)
      return false
    }
    for row in renamed {
      try rename(from: row.old, to: row.objectID, of: row.key.className, isKnown: false)
    }
    return true
  }

  private func bindNewRows(
    _ bindings: [RowBinding], of table: TableLayout
  ) throws(StoreError) {
    let rename = try statement(
      "UPDATE \(table.table) SET objectId = ?, createdAt = ? WHERE localId = ?"
        + " AND createdAt IS NULL")
    // A statement that names the object id writes to its index, also where the id stays the same.
    let confirm = try statement(
      "UPDATE \(table.table) SET createdAt = ? WHERE localId = ? AND createdAt IS NULL")
    let withList = try statement(
      "UPDATE \(table.table) SET objectId = ?, createdAt = ?, acl = ifnull(acl, ?) WHERE localId = ?"
        + " AND createdAt IS NULL")
    let className = table.entity.name
    var acknowledged = 0
    for row in bindings {
      if !row.acl.isNull {
        _ = try withList.bound(row.objectID, row.createdAt, row.acl, row.key.localID)
        try table.explainingDuplicates(of: row.objectID) { () throws(StoreError) in
          try withList.run()
        }
      } else if row.old == row.objectID {
        try confirm.bound(row.createdAt, row.key.localID).run()
      } else {
        _ = try rename.bound(row.objectID, row.createdAt, row.key.localID)
        try table.explainingDuplicates(of: row.objectID) { () throws(StoreError) in
          try rename.run()
        }
      }
      // The app may have deleted the row meanwhile. A row that is still there was kept as it is by a trigger.
      if connection.changedRows == 0 {
        guard try record(of: className, localID: row.key.localID) == nil else {
          throw .ignored(className)
        }
        noteBinding(row)
      }
      acknowledged += connection.changedRows
    }
    try countAcknowledged(acknowledged, of: table)
  }

  private func addAliases(of renamed: [RowBinding]) throws(StoreError) {
    guard !renamed.isEmpty else { return }
    let wasTarget = try statement(
      "SELECT 1 FROM ferry_alias WHERE new IN (SELECT value FROM json_each(?)) LIMIT 1"
    ).bound(WireJSON.text(.array(renamed.map { .string($0.old) }))).first { _ in true }
    let insert = try statement("INSERT OR REPLACE INTO ferry_alias (old, new) VALUES (?, ?)")
    for row in renamed {
      if wasTarget == true {
        try addAlias(from: row.old, to: row.objectID)
      } else {
        try insert.bound(row.old, row.objectID).run()
      }
    }
  }

  /// Whether rows with unsent changes may point to one of some ids that the server never had.
  private func mayBePointedTo(_ objectIDs: [String]) throws(StoreError) -> Bool {
    guard !objectIDs.isEmpty else { return false }
    let isNoted = try statement(
      "SELECT 1 FROM ferry_reference WHERE objectId IN (SELECT value FROM json_each(?)) LIMIT 1"
    ).bound(WireJSON.text(.array(objectIDs.map(Value.string)))).first { _ in true }
    guard isNoted != true else { return true }
    return try !unfoldedRows().isEmpty
  }

  func redirect(from old: String, to new: String, of className: String) throws(StoreError) {
    try rename(from: old, to: new, of: className, isKnown: true)
  }

  private func rename(
    from old: String, to new: String, of className: String, isKnown: Bool
  ) throws(StoreError) {
    try addAlias(from: old, to: new)
    try replacePointers(to: className, from: old, to: new, isKnown: isKnown)
  }

  private func addAlias(from old: String, to new: String) throws(StoreError) {
    try statement("UPDATE ferry_alias SET new = ?2 WHERE new = ?1").bound(old, new).run()
    try statement("INSERT OR REPLACE INTO ferry_alias (old, new) VALUES (?, ?)").bound(old, new)
      .run()
  }

  // MARK: - Pointers

  private func replacePointers(
    to className: String, from old: String, to new: String, isKnown: Bool
  ) throws(StoreError) {
    for row in try isKnown ? allRows() : rowsPointing(to: old) {
      guard let table = try? layout.table(row.className) else { continue }
      if let record = try record(of: row.className, localID: row.localID) {
        let replaced = record.fields.replacedPointers {
          $0.className == className && $0.objectID == old ? new : nil
        }
        // A rule of another program may keep the row as it is; then its change waits.
        if !replaced.isEmpty { try set(replaced, of: table, unlessRefused: row.localID) }
      }
      // The base and the sent values stay unchanged.
      guard !isKnown else { continue }
      for entry in try outboxEntries(of: row.className, localIDs: [row.localID]) {
        try put(
          entry.replacingPointers {
            $0.className == className && $0.objectID == old ? new : nil
          })
      }
    }
  }

  /// Does without the savepoint of `attemptUnlessRefused`, because a push replaces many pointers: SQLite itself takes
  /// a single statement back.
  private func set(
    _ fields: Fields, of table: TableLayout, unlessRefused localID: LocalID
  ) throws(StoreError) {
    do throws(StoreError) {
      _ = try set(fields, of: table, localID: localID)
    } catch {
      guard error.refusal == .row, connection.isInTransaction else { throw error }
    }
  }

  /// The rows that may point to an id the server never had: only those with unsent changes.
  private func rowsPointing(to objectID: String) throws(StoreError) -> [RecordKey] {
    let referring = try statement("SELECT class, localId FROM ferry_reference WHERE objectId = ?")
      .bound(objectID).rows { RecordKey(className: $0.text(0), localID: $0.localID(1)) }
    return Set(referring + (try unfoldedRows())).sorted()
  }

  private func allRows() throws(StoreError) -> [RecordKey] {
    var keys: [RecordKey] = []
    for table in layout.allTables {
      keys += try statement("SELECT localId FROM \(table.table)").rows {
        RecordKey(className: table.entity.name, localID: $0.localID(0))
      }
    }
    return keys
  }

  private func unfoldedRows() throws(StoreError) -> [RecordKey] {
    try statement(
      """
      SELECT DISTINCT class, localId FROM ferry_log
      WHERE token > ? AND author = \(Author.app.rawValue) AND kind < \(LogKind.delete.rawValue)
      """
    ).bound(try meta(.foldedThrough)).rows { row in
      layout.table(numbered: row.integer(0)).map {
        RecordKey(className: $0.entity.name, localID: row.localID(1))
      }
    }.compactMap(\.self)
  }
}
