// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Testing

/// Every rule that a schema can break, its message, and the remedy that the message names.
@Suite(.timeLimit(.minutes(5)))
struct SchemaValidationTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var schema: Schema
    var code: SchemaError.Code
    var words: [String]
    var testDescription: String { name }

    init(
      _ name: String, _ code: SchemaError.Code, _ words: [String], _ entities: Entity...
    ) {
      self.name = name
      self.code = code
      self.words = words
      schema = Schema(entities)
    }
  }

  private static func game(_ fields: Field...) -> Entity { Entity("Game", fields: fields) }

  private static func filtered(_ filter: Condition) -> Entity {
    game(
      Field("title", .text), Field("score", .integer), Field("playedAt", .date),
      Field("league", .pointer(to: "League")), Field("tags", .array), Field("isOver", .boolean)
    ).filter(filter)
  }

  @Test func `a filter that servers decide as this device does passes`() throws {
    let day = Value.date(Timestamp(milliseconds: 1_700_000_000_000))
    let league = Value.pointer(Pointer(className: "League", objectID: "l1"))
    try Schema([
      Self.filtered(
        .all([
          .field("title", .equal, "a"), .oneOf("title", ["a", "b"]), .isNull("title"),
          !.isNull("playedAt"), .field("score", .greaterThan, 2.5), .oneOf("score", [1, 2]),
          .field("playedAt", .greaterThanOrEqual, day), .field("createdAt", .lessThan, day),
          .any([.field("league", .equal, league), .oneOf("league", [league])]),
          .field("isOver", .equal, false),
        ]))
    ]).validate()
  }

  static let cases: [Case] = [
    Case(
      "a set of lines", .fieldMerge, ["title", "set", "an array", "text"],
      game(Field("title", .text, merge: .set))),
    Case(
      "additions to a text", .fieldMerge, ["title", "increment", "a number", "text"],
      game(Field("title", .text, merge: .increment))),
    Case(
      "lines of a number", .fieldMerge, ["score", "lines", "needs text", "integer"],
      game(Field("score", .integer, merge: .lines))),
    Case(
      "a filter by the order of text", .filter, ["title", "orders differently"],
      filtered(.field("title", .lessThan, "m"))),
    Case(
      "a filter by what is not", .filter, ["score", "notEqual", "without a value"],
      filtered(.field("score", .notEqual, 1))),
    Case(
      "a negated filter", .filter, ["only isNull may be negated"],
      filtered(!.field("score", .equal, 1))),
    Case(
      "a filter by a moment", .filter, ["playedAt", ">= and <"],
      filtered(.field("playedAt", .equal, .date(Timestamp(milliseconds: 0))))),
    Case(
      "a filter by a list", .filter, ["tags", "compare differently"],
      filtered(.field("tags", .equal, ["a"]))),
    Case(
      "a filter by a field not declared", .filter, ["objectId"],
      filtered(.field("objectId", .equal, "x"))),
    Case(
      "a filter by no value", .filter, ["use isNull"], filtered(.field("score", .equal, .null))),
    Case(
      "a filter by a value of another type", .filter, ["cannot have"],
      filtered(.field("title", .equal, 1))),
    Case(
      "a filter by a part of a text", .filter, ["title", "only equality"],
      filtered(.text("title", .prefix("a")))),
    Case(
      "a filter by an element", .filter, ["tags", "element"], filtered(.contains("tags", "a"))),
    Case(
      "a filter by an area", .filter, ["place", "distances"],
      filtered(
        .within("place", .circle(around: GeoPoint(latitude: 0, longitude: 0), kilometres: 1)))),
    Case(
      "a filter by other rows", .filter, ["league", "League", "cannot read"],
      filtered(.among("league", Query("League")))),
    Case(
      "a filter by unsent changes", .filter, ["only this device knows"], filtered(.isUnsent)),
    Case(
      "a filter along a pointer", .filter, ["league.name", "another row"],
      filtered(.field("league.name", .equal, "a"))),
    Case("a filter by nothing", .filter, ["empty"], filtered(.any([]))),
    Case("a filter by an empty list", .filter, ["empty list"], filtered(.oneOf("score", []))),
    Case(
      "a filter where rows are not looked for", .filter, ["never"],
      filtered(.isNull("score")).deletions(.never)),
    Case("no class", .noClasses, ["registers no class"]),
    Case(
      "a class with a hyphen", .className, ["\"my-game\"", "letters"], Entity("my-game") {}),
    Case("a class with a digit in front", .className, ["\"1st\""], Entity("1st") {}),
    Case("a class without a name", .className, ["\"\""], Entity("") {}),
    Case("a class with an accent", .className, ["\"Café\""], Entity("Café") {}),
    Case(
      "an internal class of the server", .className, ["_Session", "_User"], Entity("_Session") {}),
    Case(
      "a class twice", .duplicateClass, ["Game is registered twice"], game(), game()),
    Case(
      "twin classes", .twinTables, ["Note and note", "such as \"note2\""], Entity("Note") {},
      Entity("note") {}),
    Case(
      "twin tables", .twinTables, ["Game and Team"], game(), Entity("Team", table: "GAME") {}),
    Case(
      "a table of SQLite's", .tableName, ["sqlite_"],
      Entity("Game", table: "SQLite_games") {}),
    Case("a table of Ferry's", .tableName, ["ferry_"], Entity("ferry_log") {}),
    Case(
      "a table that is a keyword", .tableName,
      ["Order", "keyword of SQL", "such as \"OrderRows\""],
      Entity("Order") {}),
    Case(
      "a table with a space", .tableName, ["\"my games\""], Entity("Game", table: "my games") {}),
    Case(
      "too many fields", .tooManyFields, ["501", "500"],
      Entity("Game", fields: (0...Schema.maximumFields).map { Field("f\($0)", .text) })),
    Case("a field with a dot", .fieldName, ["\"a.b\"", "Game"], game(Field("a.b", .text))),
    Case("a field with an underscore in front", .fieldName, ["_id"], game(Field("_id", .text))),
    Case(
      "a field twice", .duplicateField, ["title of Game is declared twice"],
      game(Field("title", .text), Field("title", .number))),
    Case(
      "twin fields", .twinColumns, ["name and Name", "such as \"Name2\""],
      game(Field("name", .text), Field("Name", .text))),
    Case(
      "twin columns", .twinColumns, ["a and b"],
      game(Field("a", .text, column: "x"), Field("b", .text, column: "X"))),
    Case(
      "one column twice", .twinColumns, ["would share the column \"x\"; give one"],
      game(Field("a", .text, column: "x"), Field("b", .text, column: "x"))),
    Case(
      "one table twice", .twinTables, ["would share the table \"Game\"; give one"], game(),
      Entity("Team", table: "Game") {}),
    Case(
      "a column that is a keyword", .columnName, ["order", "such as \"orderValue\""],
      game(Field("order", .integer))),
    Case(
      "a column with a quote", .columnName, ["a\"b"],
      game(Field("a", .text, column: "a\"b"))),
    Case("localId", .reservedName, ["localId"], game(Field("localId", .integer))),
    Case("acl", .reservedName, ["acl"], game(Field("acl", .object))),
    Case("rowid", .reservedName, ["rowid"], game(Field("rowid", .integer))),
    Case(
      "a column for localId", .reservedName, ["LocalID"],
      game(Field("local", .integer, column: "LocalID"))),
    Case(
      "a pointer to no class", .targetClass, ["\"the league\""],
      game(Field("league", .pointer(to: "the league")))),
    Case(
      "a relation to no class", .targetClass, ["\"\""], game(Field("fans", .relation(to: "")))),
    Case(
      "a default of another type", .defaultValue, ["score", "A text"],
      game(Field("score", .integer, default: "none"))),
    Case(
      "a default with U+0000", .defaultValue, ["title", "U+0000"],
      game(Field("title", .text, default: "a\u{0}b"))),
    Case(
      "a default that is too large", .defaultValue, ["2^53"],
      game(Field("score", .integer, default: 9_007_199_254_740_993))),
    Case(
      "a default of a relation", .defaultValue, ["fans", "read only"],
      game(Field("fans", .relation(to: "Fan"), default: .relation(className: "Fan")))),
    Case(
      "a soft deletion without its field", .softDeleteField, ["gone", "not declared"],
      game().deletions(.softDelete(field: "gone"))),
    Case(
      "a soft deletion in a text", .softDeleteField, ["gone", "not a Boolean"],
      game(Field("gone", .text)).deletions(.softDelete(field: "gone"))),
    Case(
      "an access list for nobody", .access, ["names nobody"], game().access(.list(AccessList()))),
    Case(
      "an access list for no role", .access, [#""role:""#],
      game().access(.creator([.role(""): .read]))),
    Case(
      "an index of a field not declared", .indexField,
      ["(title, colour)", "not declared", "updatedAt"],
      game(Field("title", .text)).indexes(Index("title", "colour"))),
    Case(
      "an index of the local id", .indexField, ["localId"], game().indexes(Index("localId"))),
    Case(
      "an index of a relation", .indexField, ["fans", "relation"],
      game(Field("fans", .relation(to: "Fan"))).indexes(Index("fans"))),
    Case(
      "an index of a list", .indexField, ["tags", "array"],
      game(Field("tags", .array)).indexes(Index("tags"))),
    Case(
      "an index with a field twice", .indexField, ["title twice"],
      game(Field("title", .text)).indexes(Index("title", "objectId", "title"))),
    Case(
      "an index with too many fields", .indexField, ["33 fields", "32"],
      game(Field("title", .text)).indexes(Index((0..<33).map { "f\($0)" }))),
    Case("an index without a field", .emptyIndex, ["names no field"], game().indexes(Index())),
    Case(
      "an index twice", .duplicateIndex, ["(title) twice"],
      game(Field("title", .text)).indexes(Index("title"), Index("title"))),
    Case(
      "too many indexes", .tooManyIndexes, ["65 indexes", "64"],
      Entity("Game", fields: (0..<65).map { Field("f\($0)", .text) })
        .indexes((0..<65).map { Index("f\($0)") })),
  ]

  @Test(arguments: cases) func `a broken rule has its sentence`(_ broken: Case) throws {
    let error = try #require(throws: SchemaError.self) { try broken.schema.validate() }
    #expect(error.problems.map(\.code) == [broken.code])
    for word in broken.words { #expect(error.description.contains(word)) }
    #expect(error.description.hasSuffix("."))
  }

  @Test(arguments: ["objectId", "id", "createdAt", "updatedAt", "ACL", "className", "length"])
  func `a name that the server uses is reserved`(name: String) throws {
    let schema = Schema { Entity("Game") { Field(name, .text) } }
    let error = try #require(throws: SchemaError.self) { try schema.validate() }
    #expect(error.problems.map(\.code) == [.reservedName])
    #expect(error.problems.first?.field == name)
    #expect(error.problems.first?.className == "Game")
  }

  @Test func `all problems are listed at once`() throws {
    let schema = Schema {
      Entity("my-game") { Field("order", .text) }
      Entity("Team") { Field("name", .text, default: 1) }
    }
    let error = try #require(throws: SchemaError.self) { try schema.validate() }
    #expect(error.problems.map(\.code) == [.className, .columnName, .defaultValue])
    #expect(error.description.hasPrefix("The schema breaks 3 rules:\n- "))
  }

  @Test func `the ways out lead out`() throws {
    let schema = Schema {
      Entity("Note") {
        Field("name", .text)
        Field("Name", .text, column: "name2")
        Field("order", .integer, column: "orderValue", default: 3)
        Field("ratio", .number, default: 1)
        Field("isRemoved", .boolean)
        Field("elsewhere", .pointer(to: "Unregistered"))
        Field("session", .pointer(to: "_Session"))
      }
      .deletions(.softDelete(field: "isRemoved"))
      .indexes(
        Index("name", "Name", "updatedAt"), Index("Name", "name"), Index("createdAt"),
        Index("elsewhere"),
        Index("objectId", "isRemoved"))
      Entity("note", table: "note2") {}
      Entity("Order", table: "OrderRows") {}
      Entity("_User") { Field("username", .text) }
      Entity("Wide", fields: (0..<Schema.maximumFields).map { Field("f\($0)", .text) })
        .indexes((0..<Schema.maximumIndexes).map { Index("f\($0)") })
    }
    try schema.validate()
  }

  @Test func `the fingerprint follows what is read from the server`() {
    let first = Entity("Game") {
      Field("title", .text)
      Field("league", .pointer(to: "League"))
    }
    let reordered = Entity("Game", table: "games") {
      Field("league", .pointer(to: "League"), column: "leagueId")
      Field("title", .text, default: "x")
    }
    let retyped = Entity("Game") {
      Field("title", .text)
      Field("league", .pointer(to: "Cup"))
    }
    #expect(first.fingerprint == reordered.fingerprint)
    #expect(first.fingerprint != retyped.fingerprint)
    #expect(first.fingerprint != first.serialized(by: PlainFormat()).fingerprint)
    #expect(first.fingerprint == "Game|league:pointer to League,title:text")
  }

  private struct PlainFormat: RecordSerializer {
    var wireKeys: [String] { [] }
    func decode(_ wire: Fields) throws -> Fields { wire }
    func encode(_ fields: Fields) throws -> Fields { fields }
  }
}
