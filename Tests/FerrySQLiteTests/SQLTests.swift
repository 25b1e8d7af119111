// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import FerryTestSupport
import Foundation
import Testing

@testable import FerrySQLite

/// Plain SQL over the store's own connections.
@Suite(.timeLimit(.minutes(1)))
struct SQLTests {
  private struct Row: Decodable, Equatable {
    var title: String
    var score: Int
    var rating: Double?
  }

  private let world: TestWorld
  private var store: SQLiteStore { world.store }

  init() throws {
    world = try TestWorld()
    try world.store.write { db in
      let north = try db.insert("League", ["name": "North"])
      try db.insert(
        "Game", ["title": "Final", "score": 3, "rating": 1.5, "league": .pointer(north)])
      try db.insert("Game", ["title": "Cup", "score": 1, "isOpen": true])
    }
  }

  // MARK: Reading

  @Test func `rows take columns by their names`() throws {
    let rows = try store.query(
      "SELECT score, title, rating, 1 AS other FROM Game WHERE score > ? ORDER BY score", [0],
      as: Row.self)
    #expect(
      rows == [
        Row(title: "Cup", score: 1, rating: nil), Row(title: "Final", score: 3, rating: 1.5),
      ])
    #expect(try store.query("SELECT title, score FROM Game WHERE score > 9;", as: Row.self).isEmpty)
    #expect(try store.query("SELECT count(*) FROM Game -- all", as: Int.self) == [2])
    #expect(
      try store.query("SELECT name, 2 AS n, NULL AS z FROM League", as: [String: Value].self)
        == [["name": "North", "n": 2, "z": .null]])
  }

  /// SQLite asks the rules about the work of a virtual table that a connection meets for the first time.
  @Test func `virtual tables are read and written, also after a change of the schema`() throws {
    _ = try world.foreign("CREATE VIRTUAL TABLE words USING fts5(title)")
    _ = try world.foreign("CREATE VIRTUAL TABLE places USING rtree(id, west, east)")
    _ = try world.foreign(
      "CREATE TRIGGER index_title AFTER UPDATE OF title ON Game"
        + " BEGIN INSERT INTO words (title) VALUES (NEW.title); END")
    for round in 1...2 {
      let columns = try store.query(
        "SELECT name FROM pragma_table_info('Game') WHERE name = 'title'", as: String.self)
      #expect(columns == ["title"])
      #expect(try store.query("SELECT value FROM json_each('[1]')", as: Int.self) == [1])
      #expect(
        try store.query("SELECT count(*) FROM words WHERE words MATCH 'cup'", as: Int.self)
          == [2 * (round - 1)])
      #expect(try store.query("SELECT count(*) FROM places", as: Int.self) == [round - 1])
      try store.writeSQL { db in
        try db.execute("INSERT INTO words (title) VALUES ('a cup')")
        try db.execute("UPDATE Game SET title = 'Cup \(round)' WHERE title LIKE 'Cup%'")
        try db.execute("INSERT INTO places (west, east) VALUES (1, 2)")
      }
      _ = try world.foreign("CREATE TABLE another\(round) (a)")
    }
    #expect(throws: StoreError.self) {
      try store.query("SELECT * FROM pragma_optimize(0x10002)", as: [String: Value].self)
    }
    expectStoreError(.refusedSQL) { try store.query("DELETE FROM Game RETURNING 1", as: Int.self) }
  }

  @Test func `a statement that fails keeps no part of itself`() throws {
    _ = try world.foreign(
      "CREATE TRIGGER no_cup BEFORE UPDATE ON Game WHEN OLD.title = 'Cup' BEGIN SELECT RAISE(FAIL, 'no'); END"
    )
    try store.writeSQL { db in
      #expect(throws: StoreError.self) { try db.execute("UPDATE OR FAIL Game SET score = 9") }
      try db.execute("UPDATE League SET name = 'South'")
      let refusal = #expect(throws: StoreError.self) { try db.execute("EXPLAIN DELETE FROM Game") }
      #expect(refusal?.code == .invalidSQL)
    }
    #expect(try store.query("SELECT score FROM Game ORDER BY localId", as: Int.self) == [3, 1])
    #expect(try store.query("SELECT name FROM League", as: String.self) == ["South"])
  }

  @Test func `a reader of SQL answers everything from one view`() throws {
    let counts = try world.store.readSQL { db in
      let before = try db.query("SELECT count(*) FROM Game", as: Int.self)
      try world.foreign("DELETE FROM Game")
      return try before + [db.count(of: "Game")]
        + db.query("SELECT count(*) FROM Game", as: Int.self)
    }
    #expect(counts == [2, 2, 2])
    #expect(try world.store.query("SELECT count(*) FROM Game", as: Int.self) == [0])
  }

  @Test func `SQL waits for no thread in an async function`() async throws {
    #expect(try await store.query("SELECT count(*) FROM Game", as: Int.self) == [2])
    let titles = try await store.writeSQL { db in
      try db.execute("UPDATE Game SET title = 'new'")
      return try db.query("SELECT title FROM Game", as: String.self)
    }
    #expect(titles == ["new", "new"])
    let count = try await store.readSQL { try $0.query("SELECT count(*) FROM Game", as: Int.self) }
    #expect(count == [2])
    let error = await #expect(throws: StoreError.self) {
      try await store.query("DELETE FROM Game", as: Int.self)
    }
    #expect(error?.code == .refusedSQL)
  }

  @Test func `an observation of SQL follows the store`() async throws {
    var counts = store.observeSQL { db in
      try db.query("SELECT count(*) FROM Game WHERE score > 1", as: Int.self)
    }.makeAsyncIterator()
    let first = try #require(try await counts.next()?.first)
    _ = try await store.write { try $0.insert("Game", ["title": "x", "score": 0]) }
    _ = try await store.write { try $0.insert("Game", ["title": "y", "score": 5]) }
    #expect(try await counts.next() == [first + 1])
    var writing = store.observeSQL { try $0.query("DELETE FROM Game", as: Int.self) }
      .makeAsyncIterator()
    let error = await #expect(throws: StoreError.self) { try await writing.next() }
    #expect(error?.code == .refusedSQL)
  }

  private struct Everything: Decodable, Equatable {
    struct Details: Decodable, Equatable { var half: Int, at: Date }
    enum Kind: String, Decodable { case cup, league }
    var text: String, kind: Kind, whole: Int64, byte: UInt8, number: Double, float: Float
    var yes: Bool, no: Bool, date: Date, time: Timestamp, day: Date, data: Data, bytes: [UInt8]
    var details: Details, list: [Int], place: GeoPoint, file: File, link: URL, value: Value
    var members: [String: Value], id: LocalID, missing: Int?, null: Date?
  }

  @Test func `a property has the type that it wants`() throws {
    let sql = """
      SELECT 'a' AS text, 'cup' AS kind, 9007199254740993 AS whole, 255 AS byte, 2 AS number, 0.5 AS float,
        1 AS yes, 0 AS no, '2026-03-01T18:30:00.250Z' AS date, '2026-03-01T18:30:00.250Z' AS time,
        '2026-03-01 18:30:00' AS day, x'0102' AS data, x'' AS bytes, ? AS details, '[1,2]' AS list, ? AS place,
        ? AS file, 'https://a.b/c' AS link, 'x' AS value, '{"a":{"__type":"Pointer","className":"G","objectId":"g"}}'
        AS members, 7 AS id, NULL AS "null"
      """
    let date = Timestamp("2026-03-01T18:30:00.250Z")
    let time = try #require(date)
    let place = GeoPoint(latitude: 1, longitude: 2)
    let file = File(name: "a.png", url: nil)
    let rows = try store.query(
      sql, [["half": 2, "at": .date(time)], .geoPoint(place), .file(file)], as: Everything.self)
    let row = try #require(rows.first)
    #expect(
      row.whole == 9_007_199_254_740_993 && row.byte == 255 && row.number == 2 && row.float == 0.5)
    #expect(row.yes && !row.no && row.time == time && row.date == time.date)
    #expect(row.day == Timestamp("2026-03-01T18:30:00.000Z")?.date)
    #expect(row.data == Data([1, 2]) && row.bytes.isEmpty && row.list == [1, 2])
    #expect(row.details == .init(half: 2, at: time.date) && row.place == place && row.file == file)
    #expect(row.link.absoluteString == "https://a.b/c" && row.value == "x" && row.id.rawValue == 7)
    #expect(row.members == ["a": .pointer(Pointer(className: "G", objectID: "g"))])
    #expect(row.missing == nil && row.null == nil && row.kind == .cup && row.text == "a")
  }

  @Test func `one column makes a value`() throws {
    #expect(try store.query("SELECT NULL", as: Int?.self) == [nil])
    #expect(try store.query("SELECT x'01'", as: Data.self) == [Data([1])])
    #expect(try store.query("SELECT x'01'", as: [UInt8].self) == [[1]])
    #expect(try store.query("SELECT '2026-03-01'", as: Date.self).count == 1)
    #expect(try store.query("SELECT 1.5 UNION ALL SELECT NULL", as: Value.self) == [1.5, .null])
    #expect(try store.query("SELECT '[1]'", as: [Int].self) == [[1]])
  }

  @Test func `values are bound as the store keeps them`() throws {
    let league = try store.read { try $0.records(of: "League") }[0].reference
    let time = Timestamp(milliseconds: 1_700_000_000_000)
    let values: [Value] = [
      .date(time), true, .pointer(league), .bytes([7]), ["a": 1], .null, "x\0y",
    ]
    let rows = try store.query(
      "SELECT ? AS a, ? AS b, ? AS c, ? AS d, ? AS e, ? AS f, ? AS g", values,
      as: [String: Value].self)
    #expect(
      rows == [
        [
          "a": .string(time.description), "b": 1, "c": .string(league.objectID), "d": .bytes([7]),
          "e": #"{"a":1}"#, "f": .null, "g": "x\0y",
        ]
      ])
  }

  // MARK: Writing

  @Test func `an edit by SQL is captured like any other`() throws {
    let before = try world.log().count
    let changed = try world.store.writeSQL { db in
      try db.insert("Game", ["title": "New"])
      return try db.execute("UPDATE Game SET score = score + ? WHERE title <> ?", [10, "Cup"])
    }
    #expect(changed == 2)
    let log = try world.log().dropFirst(before)
    #expect(log.map(\.kind) == [.insert, .update(old: ["score": 3]), .update(old: ["score": 0])])
    let changes = try world.store.read { try $0.changes(after: .start, limit: 99) }
    #expect(changes.allSatisfy { $0.author == .app })
    let titles = try world.store.writeSQL { db in
      try db.execute("INSERT INTO Game (title) VALUES (?), (?) RETURNING localId", ["a", "b"])
      try db.execute("DELETE FROM Game WHERE title = 'Cup'")
      return try db.query("SELECT title FROM Game ORDER BY localId", as: String.self)
    }
    #expect(titles == ["Final", "New", "a", "b"])
    #expect(try world.store.read { try $0.records(of: "Game") }.allSatisfy { !$0.objectID.isEmpty })
  }

  private struct Stop: Error {}

  @Test func `an error undoes the transaction, and a failed statement itself alone`() throws {
    #expect(throws: Stop.self) {
      try store.writeSQL { db in
        try db.execute("DELETE FROM Game")
        throw Stop()
      }
    }
    #expect(try store.query("SELECT count(*) FROM Game", as: Int.self) == [2])
    try store.writeSQL { db in
      try db.execute("UPDATE Game SET title = 'kept' WHERE title = 'Cup'")
      expectStoreError(.wrongType) { try db.execute("UPDATE Game SET title = 'lost', score = 'x'") }
      expectStoreError(.database) { try db.execute("UPDATE Game SET objectId = 'x'") }
    }
    #expect(
      try store.query("SELECT title FROM Game ORDER BY title", as: String.self) == [
        "Final", "kept",
      ])
  }

  @Test func `a statement that ends the transaction ends the rest of it`() throws {
    expectStoreError(.database) {
      try store.writeSQL { db in
        try db.execute("UPDATE Game SET title = 'lost'")
        expectStoreError(.database) {
          try db.execute(
            "INSERT OR ROLLBACK INTO Game (objectId) SELECT objectId FROM Game LIMIT 1")
        }
        expectStoreError(.database) { try db.execute("UPDATE Game SET title = 'late'") }
      }
    }
    #expect(try store.query("SELECT count(*) FROM Game WHERE title = 'Final'", as: Int.self) == [1])
  }

  // MARK: Refusals

  private static let forbidden = [
    "BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT a", "RELEASE a", "ROLLBACK TO a",
    "ATTACH ':memory:' AS other", "DETACH main", "PRAGMA query_only = OFF", "PRAGMA journal_mode",
    "PRAGMA table_info(Game)", "PRAGMA recursive_triggers = ON", "CREATE TABLE t (a)",
    "CREATE TEMP TABLE t (a)", "CREATE INDEX i ON Game (title)", "CREATE VIEW v AS SELECT 1",
    "CREATE VIRTUAL TABLE t USING fts5(a)", "DROP TABLE Game", "DROP TABLE ferry_log",
    "DROP TRIGGER ferry_update_1", "ALTER TABLE Game ADD COLUMN a", "ALTER TABLE Game RENAME TO g",
    "CREATE TRIGGER t AFTER INSERT ON Game BEGIN SELECT 1; END", "ANALYZE", "REINDEX",
    "INSERT INTO ferry_author VALUES (1)", "DELETE FROM ferry_author", "DELETE FROM FERRY_LOG",
    "UPDATE ferry_meta SET value = 0", "REPLACE INTO \"ferry_meta\" VALUES ('a', 1)",
    "WITH a AS (SELECT 1) INSERT INTO main.ferry_log (token) SELECT * FROM a",
    "DELETE FROM sqlite_sequence",
    "EXPLAIN DELETE FROM ferry_log",
  ]

  @Test(arguments: forbidden)
  func `SQL that would change the connection or Ferry's tables is refused`(sql: String) throws {
    let before = try world.foreign("SELECT count(*) FROM sqlite_schema", "PRAGMA schema_version")
    expectStoreError(.refusedSQL) { try world.store.query(sql, as: Int.self) }
    try world.store.writeSQL { db in
      expectStoreError(.refusedSQL) { try db.execute(sql) }
      expectStoreError(.refusedSQL) { try db.query(sql, as: Int.self) }
      try db.execute("UPDATE Game SET score = 5 WHERE title = 'Cup'")
    }
    #expect(
      try world.foreign("SELECT count(*) FROM sqlite_schema", "PRAGMA schema_version") == before)
    #expect(try world.store.query("SELECT score FROM Game ORDER BY score", as: Int.self) == [3, 5])
    #expect(try world.log().last?.kind == .update(old: ["score": 1]))
  }

  @Test(arguments: [
    "DELETE FROM Game", "INSERT INTO Game DEFAULT VALUES",
    "UPDATE Game SET score = 1 RETURNING score",
    "WITH a AS (SELECT 1 AS x) UPDATE Game SET score = (SELECT x FROM a)",
    "EXPLAIN DELETE FROM Game",
  ])
  func `a query does not write`(sql: String) throws {
    expectStoreError(.refusedSQL) { try store.query(sql, as: Int.self) }
    try store.writeSQL { db in
      try db.execute("UPDATE Game SET title = title")
      expectStoreError(.refusedSQL) { try db.query(sql, as: Int.self) }
      // The statement is prepared already.
      expectStoreError(.refusedSQL) {
        try db.query("UPDATE Game SET title = title", as: Int.self)
      }
    }
    #expect(try store.query("SELECT sum(score) FROM Game", as: Int.self) == [4])
  }

  @Test(arguments: [
    "", " ", "-- nothing", ";", "SELEC 1", "SELECT", "SELECT 1 FROM nothing",
    "SELECT colour FROM Game",
    "SELECT 1; SELECT 2", "SELECT 1; nonsense", "SELECT 1;; /* a */ SELECT 2", "SELECT 1\0",
    "SELECT ?", "SELECT ?1, ?3", "SELECT 1 AS a, 2 AS a", "SELECT * FROM Game, League",
    "SELECT json_extract('{', '$.a')", "SELECT no_such_function(1)", "SELECT 'open",
    "SELECT sum(9223372036854775807) FROM Game", "VALUES (1), (2, 3)",
    "UPDATE sqlite_schema SET sql = ''",
  ])
  func `SQL with a fault says so`(sql: String) throws {
    expectStoreError(.invalidSQL) { try store.query(sql, as: [String: Value].self) }
    #expect(try store.query("SELECT 1;;\n-- end\n/* end", as: Int.self) == [1])
    expectStoreError(.invalidSQL) { try store.query("SELECT 1", [2], as: Int.self) }
  }

  @Test func `a statement that only reads is no execution`() throws {
    expectStoreError(.invalidSQL) { try store.writeSQL { try $0.execute("SELECT 1") } }
    expectStoreError(.invalidSQL) {
      try store.writeSQL { try $0.execute("DELETE FROM Game; DELETE FROM Game") }
    }
    expectStoreError(.invalidSQL) {
      try store.writeSQL { try $0.execute("DELETE FROM Game WHERE score > ?") }
    }
    expectStoreError(.invalidSQL) { try store.writeSQL { try $0.execute("VACUUM") } }
    #expect(try store.query("SELECT count(*) FROM Game", as: Int.self) == [2])
  }

  @Test(arguments: [
    ("SELECT 'a' AS title, NULL AS score", "score"), ("SELECT 'a' AS title", "score"),
    ("SELECT 1 AS title, 1 AS score", "title"), ("SELECT 'a' AS title, 'b' AS score", "score"),
    ("SELECT 'a' AS title, 1.5 AS score", "score"), ("SELECT x'ff' AS title, 1 AS score", "title"),
    ("SELECT CAST(x'ff' AS TEXT) AS title, 1 AS score", "title"),
    ("SELECT 'a' AS title, 1 AS score, 'x' AS rating", "rating"),
  ])
  func `a row that the type cannot hold is named with its column`(sql: String, column: String)
    throws
  {
    let error = #expect(throws: StoreError.self) { try store.query(sql, as: Row.self) }
    #expect(error?.code == .wrongType)
    #expect(error?.message.contains("Row 1 ") == true && error?.message.contains(column) == true)
  }

  @Test func `a row is named by its number`() throws {
    let error = #expect(throws: StoreError.self) {
      try store.query("SELECT 1 AS a UNION ALL SELECT 2 UNION ALL SELECT 'x'", as: Int.self)
    }
    #expect(error?.message.contains("Row 3 ") == true, "\(error?.message ?? "")")
    for (sql, type) in [
      ("SELECT 2", Bool.self), ("SELECT 'x'", Date.self), ("SELECT 1, 2", Int.self),
    ]
      as [(String, any Decodable.Type)]
    {
      func ask<Wanted: Decodable>(_ type: Wanted.Type) {
        expectStoreError(.wrongType) { try store.query(sql, as: type) }
      }
      ask(type)
    }
  }

  // MARK: The store

  @Test func `a reader of SQL ends with its closure`() throws {
    var kept: (any SQLReader)?
    try store.readSQL { kept = $0 }
    expectStoreError(.database) { try kept?.query("SELECT 1", as: Int.self) }
  }

  @Test func `a cancelled task ends its statement`() async throws {
    let endless =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    let store = store
    let task = Task { try await store.query(endless, as: Int.self) }
    try await Task.sleep(for: .milliseconds(50))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await store.query("SELECT 1", as: Int.self) == [1])
  }

  @Test func `a store for reading answers SQL and takes none that writes`() throws {
    let store = try SQLiteStore(reading: world.url, schema: TestWorld.schema)
    #expect(try store.query("SELECT count(*) FROM Game", as: Int.self) == [2])
    expectStoreError(.notAccessible) { try store.writeSQL { try $0.execute("DELETE FROM Game") } }
  }

  @Test func `a column that another program adds is in the next result`() throws {
    let all = "SELECT * FROM League"
    let before = try world.store.query(all, as: [String: Value].self)[0].count
    try world.foreign("ALTER TABLE League ADD COLUMN own INTEGER DEFAULT 7")
    let after = try world.store.query(all, as: [String: Value].self)[0]
    #expect(after.count == before + 1 && after["own"] == 7)
  }
}
