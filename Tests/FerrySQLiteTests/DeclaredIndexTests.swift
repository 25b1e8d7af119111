// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import FerryTestSupport
import Foundation
import Testing

@testable import FerrySQLite

/// The indexes that a schema declares, and the queries that use them.
@Suite(.timeLimit(.minutes(1)))
struct DeclaredIndexTests {
  private static func schema(_ indexes: Index...) -> Schema {
    Schema([
      Entity("League") { Field("name", .text) }.indexes(),
      Entity("Game", fields: StoreConformance.gameFields).indexes(indexes),
    ])
  }

  private func names(_ world: TestWorld) throws -> [String] {
    try world.foreign(
      "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'Game' AND sql IS NOT NULL ORDER BY name"
    ).map { $0[0] }
  }

  private static let indexes = StoreConformance.gameFields.filter {
    if case .object = $0.type { false } else { true }
  }.map { Index($0.name) }

  private static let date = Value.date(Timestamp(milliseconds: 1_700_000_000_000))

  @Test(
    arguments: [
      .field("title", .equal, "a"), .field("title", .lessThan, "b"),
      .field("title", .greaterThanOrEqual, "b"), .oneOf("title", ["a", "b"]), .isNull("title"),
      .field("score", .equal, 2), .field("score", .greaterThan, 2.5),
      .field("rating", .lessThanOrEqual, 3), .field("isOpen", .equal, true),
      .field("playedAt", .greaterThan, date), .field("updatedAt", .lessThan, date),
      .field("league", .equal, .pointer(Pointer(className: "League", objectID: "l"))),
      .among("league", Query("League", where: .field("objectId", .equal, "l"))),
      .field("logo", .equal, .bytes([1])),
      .field("title", .equal, "a") && .text("title", .contains("x")),
      .field("title", .equal, "a") || .field("score", .equal, 2),
    ] as [Condition])
  func `a condition of an indexed field scans nothing`(_ condition: Condition) throws {
    let world = try TestWorld(
      schema: Schema([
        Entity("League") { Field("name", .text) },
        Entity("Game", fields: StoreConformance.gameFields)
          .indexes(Self.indexes + [Index("updatedAt")]),
      ]))
    let plain = try TestWorld()
    let query = Query("Game", where: condition)
    #expect(try world.store.read { try $0.explain(query) }.scannedClasses.isEmpty)
    #expect(try plain.store.read { try $0.explain(query) }.scannedClasses == ["Game"])
  }

  @Test func `an order by an index of several fields sorts nothing`() throws {
    let world = try TestWorld(schema: Self.schema(Index("league", "title")))
    let league = Value.pointer(Pointer(className: "League", objectID: "l"))
    let query = Query(
      "Game", where: .field("league", .equal, league), orderedBy: .ascending("title"))
    let plan = try world.store.read { try $0.explain(query) }
    #expect(plan.scannedClasses.isEmpty && !plan.sortsRows, "\(plan.steps)")
    let second = try world.store.read {
      try $0.explain(Query("Game", where: .field("title", .equal, "a")))
    }
    #expect(second.scannedClasses == ["Game"], "the first field of the index is missing")
    #expect(try names(world) == ["ferry_index_Game(league,title)"])
  }

  @Test func `a range with a limit uses an index for its order alone`() throws {
    let world = try TestWorld(schema: Self.schema(Index("title")))
    var query = Query("Game", where: .field("title", .lessThan, "b"), limit: 9)
    #expect(try world.store.read { try $0.explain(query) }.scannedClasses == ["Game"])
    query.order = [.ascending("title")]
    let plan = try world.store.read { try $0.explain(query) }
    #expect(plan.scannedClasses.isEmpty && !plan.sortsRows)
  }

  @Test func `indexes follow the schema, and those of others stay`() throws {
    let world = try TestWorld(schema: Self.schema(Index("title"), Index("score")))
    try world.foreign("INSERT INTO Game (title) VALUES ('Final')")
    try world.foreign(
      "CREATE INDEX ferry_index_mine ON Game (rating)", "CREATE INDEX own ON Game (title)")
    _ = try world.reopened(schema: Self.schema(Index("title"), Index("title", "createdAt")))
    let both = ["ferry_index_Game(title)", "ferry_index_Game(title,createdAt)"]
    #expect(try names(world) == both + ["ferry_index_mine", "own"])
    _ = try world.reopened()
    #expect(
      try names(world) == both + ["ferry_index_mine", "own"], "it says nothing about indexes")
    _ = try world.reopened(schema: Self.schema())
    #expect(try names(world) == ["ferry_index_mine", "own"])
    #expect(try world.log().count == 1)
  }

  @Test func `two programs with other indexes do not make and drop them in turns`() throws {
    let one = Self.schema(Index("title"))
    let other = Self.schema(Index("score"))
    let world = try TestWorld(schema: one)
    for schema in [other, one, other, one] { _ = try world.reopened(schema: schema) }
    let both = ["ferry_index_Game(score)", "ferry_index_Game(title)"]
    #expect(try names(world) == both)
    let version = try world.foreign("PRAGMA schema_version")
    for schema in [other, one, other] { _ = try world.reopened(schema: schema) }
    #expect(try names(world) == both)
    #expect(try world.foreign("PRAGMA schema_version") == version)
  }

  @Test func `an opening with the same indexes writes nothing`() throws {
    let schema = Self.schema(Index("title"))
    let world = try TestWorld(schema: schema)
    let version = try world.foreign("PRAGMA schema_version")
    _ = try world.reopened(schema: schema)
    #expect(try world.foreign("PRAGMA schema_version") == version)
  }

  @Test(arguments: [
    "ALTER TABLE Game RENAME COLUMN title TO caption", "DROP INDEX \"ferry_index_Game(title)\"",
  ])
  func `an index that another program changed is made again`(change: String) throws {
    let schema = Self.schema(Index("title"))
    let world = try TestWorld(schema: schema)
    try world.foreign(change)
    let store = try world.reopened(schema: schema)
    #expect(try names(world) == ["ferry_index_Game(title)"])
    let query = Query("Game", where: .field("title", .equal, "a"))
    #expect(try store.read { try $0.explain(query) }.scannedClasses.isEmpty)
  }

  @Test func `a field in another column gets its index`() throws {
    let world = try TestWorld(schema: Self.schema(Index("title")))
    let fields = [Field("title", .text, column: "TITLE2")]
    for indexes in [[Index("title")], [Index("title"), Index("objectId", "title")]] {
      let entity = Entity("Game", fields: fields).indexes(indexes)
      let store = try world.reopened(schema: Schema([entity]))
      let query = Query("Game", where: .field("title", .equal, "a"))
      #expect(try store.read { try $0.explain(query) }.scannedClasses.isEmpty)
    }
    #expect(
      try names(world) == ["ferry_index_Game(TITLE2)", "ferry_index_Game(objectId,TITLE2)"])
  }

  @Test func `a store that is opened for reading makes no index and no copy`() throws {
    let world = try TestWorld()
    let store = try SQLiteStore(reading: world.url, schema: Self.schema(Index("title")))
    #expect(try store.read { try $0.count(of: "Game") } == 0)
    #expect(store.database.path == world.url.path)
    #expect(try names(world).isEmpty)
  }

  @Test func `a unique index under a name of Ferry's is refused as before`() throws {
    let world = try TestWorld()
    try world.foreign("CREATE UNIQUE INDEX \"ferry_index_Game(title)\" ON Game (title)")
    expectStoreError(.invalidSchema) {
      _ = try world.reopened(schema: Self.schema(Index("title")))
    }
  }
}
