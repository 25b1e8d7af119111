// Ferry: offline-first sync for Parse Server. MIT licence.

package import Ferry

extension SQLiteStore {
  /// Adds to the field `count` of a row: by the call, or by plain SQL where the amount is 2.
  ///
  /// Both must mean the same to the server.
  package func add(_ amount: Int64, toCountOf row: Record) throws {
    guard amount == 2 else {
      return try write { try $0.increment("count", by: .integer(amount), of: row.reference) }
    }
    try writeSQL {
      try $0.execute(
        "UPDATE \(row.className) SET count = ifnull(count, 0) + 2 WHERE localId = ?",
        [.integer(row.localID.rawValue)])
    }
  }
}
