// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore
import FerryTestSupport
import Testing

@testable import FerrySQLite

/// SQL of the app that slips past no rule.
@Suite struct SQLRulesTests {
  private let store: SQLiteStore

  private let world: TestWorld

  init() throws {
    world = try TestWorld()
    store = world.store
  }

  @Test func `SQL that a query refused is judged again as a statement that writes`() throws {
    for sql in [
      "INSERT OR IGNORE INTO ferry_author (author) VALUES (1)",
      "UPDATE sqlite_sequence SET seq = 0",
    ] {
      try store.writeSQL { db in
        for _ in 0..<2 {
          expectStoreError(.refusedSQL) { try db.query(sql, as: Int.self) }
          expectStoreError(.refusedSQL) { try db.execute(sql) }
        }
      }
    }
    let before = try store.syncRead { try $0.pendingCounts() }["Game"] ?? 0
    try store.write { try $0.insert("Game", ["title": "captured"]) }
    #expect(try store.syncRead { try $0.pendingCounts() }["Game"] == before + 1)
  }

  @Test func `a query does not optimize the database, also within a common table expression`() {
    let sql =
      "WITH x AS MATERIALIZED (SELECT optimize FROM pragma_optimize(0x10002)) SELECT count(*) AS n FROM x"
    expectStoreError(.refusedSQL) { try store.query(sql, as: Int.self) }
  }
}
