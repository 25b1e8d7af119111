// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import FerryTestSupport
import Foundation
import Testing

@testable import FerrySQLite

/// A later schema, and tables that other programs have changed.
@Suite(.timeLimit(.minutes(1)))
struct SchemaChangeTests {
  static func game(_ fields: Field...) -> Schema { Schema([Entity("Game", fields: fields)]) }

  @Test func `a new field adds a column and old log rows keep their meaning`() throws {
    let world = try TestWorld(schema: Self.game(Field("title", .text), Field("score", .integer)))
    try world.foreign("INSERT INTO Game (title, score) VALUES ('Final', 1)")
    try world.foreign("UPDATE Game SET score = 2")
    // The fields have another order, with a new field in front.
    let schema = Self.game(
      Field("place", .text, default: "Home"), Field("score", .integer), Field("title", .text))
    let store = try world.reopened(schema: schema)
    let old = try store.syncRead { try $0.log(after: .start) }
    #expect(old.map(\.kind) == [.insert, .update(old: ["score": 1])])
    let record = try #require(try store.read { try $0.records(of: "Game") }.first)
    #expect(record.fields == ["title": "Final", "score": 2], "nobody knows the new field's value")
    try world.foreign("UPDATE Game SET place = 'Away', score = 3")
    #expect(
      try store.syncRead { try $0.log(after: .start) }.last?.kind
        == .update(old: ["place": .null, "score": 2]))
    try world.foreign("INSERT INTO Game (title) VALUES ('Next')")
    #expect(try store.read { try $0.records(of: "Game") }.last?["place"] == "Home")
  }

  @Test func `a field that is no longer declared keeps its column`() throws {
    let world = try TestWorld(schema: Self.game(Field("title", .text), Field("score", .integer)))
    try world.foreign("INSERT INTO Game (title, score) VALUES ('Final', 1)")
    _ = try world.reopened(schema: Self.game(Field("title", .text)))
    try world.foreign("UPDATE Game SET score = 2")
    let store = try world.reopened(
      schema: Self.game(Field("title", .text), Field("score", .integer)))
    #expect(try store.read { try $0.records(of: "Game") }.first?["score"] == 2)
    #expect(
      try store.syncRead { try $0.log(after: .start) }.map(\.kind) == [
        .insert, .update(old: ["score": 1]),
      ])
  }

  @Test func `a field that is left out for a while is captured all the same`() throws {
    let wide = Self.game(Field("title", .text), Field("note", .text), Field("logo", .bytes))
    let world = try TestWorld(schema: wide)
    let game = try world.store.write { try $0.insert("Game", ["title": "a", "note": "b"]) }
    let narrow = try world.reopened(schema: Self.game(Field("title", .text)))
    try world.foreign("UPDATE Game SET note = 'c', logo = X'01'")
    #expect(try narrow.syncRead { try $0.log(after: .start) }.map(\.kind) == [.insert])
    #expect(try narrow.read { try $0.changes(after: .start, limit: 9) }.map(\.kind) == [.insert])
    try world.foreign("UPDATE Game SET title = 'd'")
    let store = try world.reopened(schema: wide)
    #expect(
      try store.syncRead { try $0.log(after: .start) }.map(\.kind) == [
        .insert, .update(old: ["note": "b", "logo": .null]), .update(old: ["title": "a"]),
      ])
    try store.write { try $0.delete(game) }
    guard case .delete(let old)? = try store.syncRead({ try $0.log(after: .start) }).last?.kind
    else {
      Issue.record("The delete was not captured.")
      return
    }
    #expect(old.fields == ["title": "d", "note": "c", "logo": .bytes([1])])
  }

  /// Fields by their columns: two fields of one text type, with a value and an unsent edit each.
  private static func placed(_ columns: KeyValuePairs<String, String>) -> Schema {
    Schema([Entity("Game", fields: columns.map { Field($0.key, .text, column: $0.value) })])
  }

  @Test(
    arguments: [
      ["x": "b", "y": "a"], ["x": "b", "y": "c"], ["x": "b"], ["z": "b", "y": "c"],
      ["z": "b", "y": "a"],
    ] as [KeyValuePairs<String, String>])
  func `a field moves to no column that holds another field`(
    columns: KeyValuePairs<String, String>
  ) throws {
    let world = try TestWorld(schema: Self.placed(["x": "a", "y": "b"]))
    try world.foreign("INSERT INTO Game (a, b) VALUES ('1', '2')")
    let error = expectStoreError(.invalidSchema) {
      try world.reopened(schema: Self.placed(columns))
    }
    #expect(error?.message.contains("Nothing was changed.") == true)
    #expect(try world.foreign("SELECT a, b FROM Game") == [["1", "2"]])
    let store = try world.reopened(schema: Self.placed(["x": "c", "y": "d"]))
    let record = try #require(try store.read { try $0.records(of: "Game") }.first)
    #expect(record.fields == ["x": "1", "y": "2"])
    _ = try world.reopened(schema: Self.placed(["x": "b", "y": "a"]))
    #expect(try world.foreign("SELECT b, a FROM Game") == [["1", "2"]])
  }

  @Test func `a store that knows a field's former column is refused`() throws {
    let world = try TestWorld(schema: Self.placed(["x": "a"]))
    let game = try world.store.write { try $0.insert("Game", ["x": "1"]) }
    let other = try SQLiteStore(at: world.url, schema: Self.placed(["x": "b"]))
    expectStoreError(.invalidSchema) { try world.store.write { try $0.update(game, ["x": "2"]) } }
    expectStoreError(.invalidSchema) { try world.store.read { try $0.records(of: "Game") } }
    expectStoreError(.invalidSchema) { try world.store.sync(.full) { try $0.fold() } }
    #expect(try other.read { try $0.records(of: "Game") }.first?.fields == ["x": "1"])
    try other.write { try $0.update(game, ["x": "2"]) }
    #expect(try world.foreign("SELECT count(a), b FROM Game") == [["0", "2"]])
  }

  @Test func `a field that is renamed keeps its column`() throws {
    let world = try TestWorld(schema: Self.placed(["x": "a"]))
    try world.foreign("INSERT INTO Game (a) VALUES ('1')")
    let store = try world.reopened(schema: Self.placed(["z": "a"]))
    #expect(try store.read { try $0.records(of: "Game") }.first?.fields == ["z": "1"])
  }

  @Test func `a field without a value has none in its new column either`() throws {
    let world = try TestWorld(schema: Self.placed(["x": "a"]))
    try world.foreign("INSERT INTO Game (a) VALUES (NULL)")
    let schema = Schema([
      Entity("Game", fields: [Field("x", .text, column: "b", default: "none")])
    ])
    let store = try world.reopened(schema: schema)
    #expect(try store.read { try $0.records(of: "Game") }.first?.fields == [:])
  }

  private static func rated(_ type: FieldType, in column: String) -> Schema {
    game(Field("title", .text), Field("rating", type, column: column))
  }

  @Test func `a field of the same type takes its values and its edits to another column`() throws {
    let world = try TestWorld(schema: Self.rated(.text, in: "rating"))
    try world.foreign(
      "INSERT INTO Game (title, rating) VALUES ('a', 'x')", "UPDATE Game SET rating = 'y'")
    for column in ["stars", "rating", "stars"] {
      let store = try world.reopened(schema: Self.rated(.text, in: column))
      #expect(try store.read { try $0.records(of: "Game") }.first?["rating"] == "y")
      #expect(
        try store.syncRead { try $0.log(after: .start) }.map(\.kind)
          == [.insert, .update(old: ["rating": "x"])])
    }
  }

  @Test(arguments: [false, true])
  func `a field of another type takes its unsent values to another column`(isFolded: Bool) throws {
    let world = try TestWorld(schema: Self.rated(.text, in: "rating"))
    let row = ImportRow(
      objectID: "one", createdAt: Timestamp(milliseconds: 0), version: nil, acl: .null,
      values: ["a", .null])
    _ = try world.store.sync(.normal) { try $0.apply([row, row.named("two")], to: "Game") }
    try world.foreign("UPDATE Game SET rating = '2.5' WHERE objectId = 'one'")
    if isFolded { try world.store.sync(.full) { try $0.fold() } }
    let store = try world.reopened(schema: Self.rated(.number, in: "stars"))
    try store.sync(.full) { try $0.fold() }
    let entry = try #require(try store.syncRead { try $0.outbox(of: nil) }.first)
    #expect(entry.changed == ["rating"])
    #expect(entry.base == ["rating": .null])
    let games = try store.read { try $0.records(of: "Game") }
    #expect(games.map { $0["rating"] } == [2.5, .null])
    #expect(try store.syncRead { try $0.outbox(of: nil) }.count == 1)
    let reader = try SQLiteStore(reading: world.url, schema: Self.rated(.text, in: "rating"))
    #expect(try reader.read { try $0.records(of: "Game") }.first?["rating"] == "2.5")
    #expect(try store.read { try $0.records(of: "Game") }.first?["rating"] == 2.5)
  }

  /// Writes of another program into a column that has no field, before and after an edit of the field.
  @Test(arguments: [
    ["UPDATE Game SET a = 'stray'"], ["UPDATE Game SET a = 'stray'", "UPDATE Game SET b = '2'"],
    ["UPDATE Game SET b = '2'", "UPDATE Game SET a = 'stray'"], ["UPDATE Game SET b = '2'"],
  ])
  func `a field that moves takes only its own edits along`(edits: [String]) throws {
    let world = try TestWorld(schema: Self.placed(["x": "a", "y": "c"]))
    let row = ImportRow(
      objectID: "one", createdAt: Timestamp(milliseconds: 0), version: nil, acl: .null,
      values: ["1", .null])
    _ = try world.store.sync(.normal) { try $0.apply([row], to: "Game") }
    _ = try world.reopened(schema: Self.placed(["x": "b", "y": "c"]))
    let narrow = try world.reopened(schema: Self.placed(["y": "c"]))
    for edit in edits {
      try world.foreign(edit)
      try narrow.sync(.full) { try $0.fold() }
    }
    let store = try world.reopened(schema: Self.placed(["x": "a", "y": "c"]))
    try store.sync(.full) { try $0.fold() }
    let entries = try store.syncRead { try $0.outbox(of: nil) }
    let isEdited = edits.contains { $0.contains("SET b") }
    #expect(entries.map(\.base) == (isEdited ? [["x": "1"]] : []))
    #expect(try store.read { try $0.records(of: "Game") }.first?["x"] == (isEdited ? "2" : "1"))
  }

  @Test func `a field does not move while the new column cannot hold an unsent value`() throws {
    let world = try TestWorld(schema: Self.rated(.text, in: "rating"))
    try world.foreign("INSERT INTO Game (title, rating) VALUES ('a', 'good')")
    let moved = Self.rated(.number, in: "stars")
    let error = expectStoreError(.invalidSchema) { try world.reopened(schema: moved) }
    #expect(error?.message.contains("row 1 has an unsent value") == true)
    try world.foreign("UPDATE Game SET rating = '4'")
    let store = try world.reopened(schema: moved)
    #expect(try store.read { try $0.records(of: "Game") }.first?["rating"] == 4)
  }

  @Test func `an import by an older program leaves a newer one's triggers`() throws {
    let world = try TestWorld(schema: Self.game(Field("title", .text)))
    let wide = Self.game(Field("title", .text), Field("note", .text))
    let newer = try world.reopened(schema: wide)
    let rows = (0..<1500).map { number in
      ImportRow(
        objectID: "object\(number)", createdAt: Timestamp(milliseconds: Int64(number)),
        version: nil, acl: .null, values: [.string("\(number)")])
    }
    _ = try world.store.sync(.normal) { try $0.apply(rows, to: "Game") }
    try world.foreign(
      "REPLACE INTO Game (objectId, title, note) VALUES ('object7', '7', 'mine')",
      "REPLACE INTO Game (objectId, title) VALUES ('object7', 'seven')")
    guard
      case .delete(let old)? = try newer.syncRead({ try $0.log(after: .start) })
        .last(where: { if case .delete = $0.kind { true } else { false } })?.kind
    else {
      Issue.record("The replacement was not captured.")
      return
    }
    #expect(old.fields == ["title": "7", "note": "mine"])
  }

  @Test func `a column that somebody dropped is added again`() throws {
    let wide = Self.game(Field("title", .text), Field("note", .text))
    let world = try TestWorld(schema: wide)
    let triggers = try world.foreign(
      "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'Game'")
    for trigger in triggers { try world.foreign("DROP TRIGGER \(trigger[0])") }
    try world.foreign("ALTER TABLE Game DROP COLUMN note")
    _ = try world.reopened(schema: Self.game(Field("title", .text)))
    let store = try world.reopened(schema: wide)
    let game = try store.write { try $0.insert("Game", ["note": "b"]) }
    #expect(try store.read { try $0.record(of: "Game", localID: game.localID) }?["note"] == "b")
  }

  @Test func `a new class gets a table`() throws {
    let world = try TestWorld(schema: Self.game(Field("title", .text)))
    let wider = Schema([
      Entity("Game", fields: [Field("title", .text)]),
      Entity("League", fields: (0..<30).map { Field("field\($0)", .text) }),
    ])
    let store = try world.reopened(schema: wider)
    let league = try store.write { try $0.insert("League", ["field29": "x"]) }
    try store.write { try $0.update(league, ["field29": "y"]) }
    #expect(
      try store.syncRead { try $0.log(after: .start) }.last?.kind == .update(old: ["field29": "x"]))
  }

  @Test func `edits of a class that is not declared stay unfolded`() throws {
    let game = Entity("Game", fields: [Field("title", .text)])
    let league = Entity("League", fields: [Field("name", .text)])
    let world = try TestWorld(schema: Schema([game, league]))
    try world.foreign(
      "INSERT INTO Game (title) VALUES ('a')", "INSERT INTO League (name) VALUES ('North')")
    let narrow = try world.reopened(schema: Schema([league]))
    try narrow.sync(.full) { transaction in
      try transaction.fold()
      let entry = try #require(try transaction.outbox(of: nil).first)
      // This has the same effect as sending it.
      try transaction.removeOutboxEntry(of: "League", localID: entry.localID)
    }
    try world.foreign("UPDATE Game SET title = 'b'")
    try narrow.sync(.full) { transaction in
      try transaction.fold()
      try transaction.pruneHistory(keeping: .init(since: .now.adding(.seconds(3600))), limit: .max)
    }
    #expect(try narrow.syncRead { try $0.log(after: $0.foldedThrough()) }.isEmpty)
    let wide = try world.reopened(schema: Schema([game, league]))
    let waiting = try wide.syncRead { try $0.log(after: $0.foldedThrough()) }
    #expect(waiting.map(\.kind) == [.insert, .update(old: ["title": "a"])])
    try wide.sync(.full) { try $0.fold() }
    #expect(try wide.syncRead { try $0.outbox(of: nil) }.map(\.className) == ["Game"])
    #expect(try wide.syncRead { try $0.log(after: $0.foldedThrough()) }.isEmpty)
  }

  static let refused: [(String, Schema)] = [
    ("integer", game(Field("title", .text), Field("score", .number))),
    ("table Game", Schema([Entity("Game", table: "Games", fields: [Field("title", .text)])])),
  ]

  @Test(arguments: refused.indices)
  func `a schema that does not fit is refused with a sentence`(index: Int) throws {
    let (word, schema) = Self.refused[index]
    let world = try TestWorld(schema: Self.game(Field("title", .text), Field("score", .integer)))
    let before = try world.foreign("SELECT sql FROM sqlite_schema ORDER BY name")
    let error = expectStoreError(.invalidSchema) { try world.reopened(schema: schema) }
    #expect(error?.message.contains(word) == true, "\(error?.message ?? "")")
    #expect(try world.foreign("SELECT sql FROM sqlite_schema ORDER BY name") == before)
  }

  @Test func `a table of someone else is not taken over`() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appending(path: "games.sqlite")
    _ = try ForeignProgram(path: url.path(percentEncoded: false))
      .run(["CREATE TABLE Game (id)", "CREATE TABLE mine (x)", "INSERT INTO mine VALUES (1)"])
    expectStoreError(.invalidSchema) { try SQLiteStore(at: url, schema: TestWorld.schema) }
    let schema = Schema([Entity("Game", table: "synced_game", fields: [Field("title", .text)])])
    let store = try SQLiteStore(at: url, schema: schema)
    try store.write { _ = try $0.insert("Game", ["title": "Final"]) }
    #expect(try store.read { try $0.count(of: "Game") } == 1)
  }

  @Test func `what others add to a table is tolerated`() throws {
    let world = try TestWorld()
    try world.foreign(
      "ALTER TABLE Game ADD COLUMN mine TEXT", "CREATE INDEX byTitle ON Game (title)",
      "CREATE TABLE audit (what)",
      "CREATE TRIGGER audited AFTER UPDATE ON Game BEGIN INSERT INTO audit VALUES (NEW.title); END",
      "INSERT INTO Game (title, mine) VALUES ('Final', 'note')", "UPDATE Game SET mine = 'other'",
      "UPDATE Game SET title = 'Semi'")
    let store = try world.reopened()
    #expect(try store.syncRead { try $0.log(after: .start) }.count == 2)
    #expect(try world.foreign("SELECT mine FROM Game") == [["other"]])
    #expect(try world.foreign("SELECT count(*) FROM audit") == [["2"]])
  }

  @Test func `a unique index of someone else is refused`() throws {
    let world = try TestWorld()
    try world.foreign("CREATE UNIQUE INDEX byTitle ON Game (title)")
    let error = expectStoreError(.invalidSchema) { try world.reopened() }
    #expect(error?.message.contains("byTitle") == true)
  }

  @Test func `triggers that were removed or changed are made again`() throws {
    let world = try TestWorld()
    try world.foreign(
      "DROP TRIGGER ferry_update_2", "DROP TRIGGER ferry_delete_2",
      "CREATE TRIGGER ferry_delete_2 AFTER DELETE ON Game BEGIN SELECT 1; END")
    let store = try world.reopened()
    try world.foreign(
      "INSERT INTO Game (title) VALUES ('a')", "UPDATE Game SET title = 'b'", "DELETE FROM Game")
    #expect(try store.syncRead { try $0.log(after: .start) }.count == 3)
  }
}

extension ImportRow {
  fileprivate func named(_ objectID: String) -> ImportRow {
    var row = self
    row.objectID = objectID
    return row
  }
}
