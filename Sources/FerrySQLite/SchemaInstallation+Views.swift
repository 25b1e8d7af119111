// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore

extension SchemaInstallation {
  /// Drops those of Ferry's views that have the name of a table which the schema is about to make.
  func dropViews(named entities: [Entity]) throws(StoreError) {
    let tables = Set(entities.map { $0.table.lowercased() })
    for (name, sql) in try presentNames() where tables.contains(name) && isOwn(sql) {
      try connection.execute("DROP VIEW \(SQLText.name(name))")
    }
  }

  /// Makes the views that are not there, or not with this text.
  func installViews(of entities: [Entity]) throws(StoreError) {
    let present = try presentNames()
    let tables = Set(entities.map { $0.table.lowercased() })
    let views =
      ReadableViews(columnCount: try logWidth()).ofStore
      + entities.map { entity in
        let name = "\(entity.table)_status"
        let key = name.lowercased()
        let isFree = !tables.contains(key) && present[key].map(isOwn) ?? true
        // No table of a class begins with ferry_.
        return ReadableViews.status(of: entity, named: isFree ? name : "ferry_\(name)")
      }
    for view in views {
      let known = present[view.name.lowercased()]
      guard known != view.sql else { continue }
      // A view or table of another program with one of Ferry's names stays.
      if let known {
        guard isOwn(known) else { continue }
        try connection.execute("DROP VIEW \(SQLText.name(view.name))")
      }
      try connection.execute(view.sql)
    }
  }

  /// All names that a view cannot take, in small letters, with the statements that made what has them.
  private func presentNames() throws(StoreError) -> [String: String] {
    let texts = try connection.statement("SELECT lower(name), ifnull(sql, '') FROM sqlite_schema")
      .rows { ($0.text(0), $0.text(1)) }
    return Dictionary(texts, uniquingKeysWith: { first, _ in first })
  }

  private func isOwn(_ sql: String) -> Bool {
    sql.hasPrefix("CREATE VIEW") && sql.contains(ReadableViews.remark)
  }
}
