// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryTestSupport
import Foundation
import Testing

/// The structs and the schema that `ferry generate` made of Fixtures/generated/ferry.json.
///
/// The target compiles them as an app does: without package access, and with every warning as an error.
@Suite(.timeLimit(.minutes(5)))
struct GeneratedTests {
  private let schema: Schema

  init() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Fixtures/generated/ferry.json").standardized
    schema = try SyncConfiguration(json: Data(contentsOf: file)).schema
  }

  @Test func `the generated schema is the one of ferry json`() throws {
    let made = Schema.app
    #expect(made.name == schema.name)
    #expect(made.entities.map(\.name) == schema.entities.map(\.name))
    for (made, read) in zip(made.entities, schema.entities) {
      #expect(made.table == read.table)
      #expect(made.fields == read.fields)
      #expect(made.deletionStrategy == read.deletionStrategy)
      #expect(made.defaultAccess == read.defaultAccess)
      #expect(made.recordFilter == read.recordFilter)
      #expect(made.indexes == read.indexes)
    }
    // Values are equal if they mean the same; the text of the file tells more of them apart.
    #expect(text(made) == text(schema))
    #expect(made.entities.contains { $0.recordFilter != nil })
  }

  private func text(_ schema: Schema) -> String {
    SyncConfiguration(
      server: URL(filePath: "/"), applicationID: "demo", schema: schema
    ).json
  }

  @Test func `the generated types fit the schema`() throws {
    try schema.check(Schema.appTypes)
    try Schema.app.check(Schema.appTypes)
    #expect(Schema.appTypes.map { $0.className } == schema.entities.map(\.name))
    #expect(User.className == "User")
    #expect(UserRow.className == "_User")
    #expect(GameRow.className == "game")
    #expect(Names.FieldName.selfFieldFieldField == "self")
  }

  @Test func `the generated types can be asked by key paths of all their properties`() throws {
    func fieldNames<Row: SyncEntity>(_ type: Row.Type) -> Set<String> {
      Set(Row.fieldNames.values)
    }
    for (type, entity) in zip(Schema.appTypes, schema.entities) {
      let fields = entity.fields.filter { field in
        if case .relation = field.type { false } else { true }
      }
      #expect(
        fieldNames(type) == Set(fields.map(\.name) + ["objectId", "createdAt", "updatedAt"]),
        "\(entity.name)")
    }
    let store = try store(inMemory: false)
    try store.write { db in
      for title in ["Final", "Semi-final"] { try db.insert(Game(title: title)) }
    }
    let finals = Query(Game.self, where: \.title == "Final")
    #expect(try store.read { try $0.all(finals, as: Game.self) }.map(\.title) == ["Final"])
  }

  @Test(arguments: [true, false])
  func `a new row has the defaults of the file, and comes back as it was`(inMemory: Bool) throws {
    let store = try store(inMemory: inMemory)
    let made = Game()
    let byStruct = try store.write { try $0.insert(made) }
    let byName = try store.write { try $0.insert("Game", [:]) }
    let rows = try store.read { try $0.records(of: "Game", orderedBy: .ascending("localId")) }
    #expect(rows.map(\.reference) == [byStruct, byName])
    #expect(rows[0].fields == rows[1].fields)
    var read = try #require(try store.read { try $0.find(Game.self, byStruct.localID) })
    #expect(read.objectId == byStruct.objectID)
    #expect(read.createdAt == nil)
    #expect(read.note == made.note)
    #expect(read.playedAt == Timestamp(milliseconds: 1_772_389_800_251).date)
    #expect(read.area == made.area)
    read.score = nil
    read.details = ["at": .date(Timestamp(milliseconds: 7)), "n": 1]
    try store.write { try $0.update(read) }
    #expect(try store.read { try $0.find(Game.self, byStruct.localID) } == read)
  }

  @Test(arguments: [true, false])
  func `fields with the names of keywords keep their values`(inMemory: Bool) throws {
    let store = try store(inMemory: inMemory)
    var row = Names()
    row.`class` = try sample(of: "class")
    row.selfFieldFieldField = try sample(of: "self")
    row.description = try sample(of: "description")
    let reference = try store.write { try $0.insert(row) }
    let record = try #require(
      try store.read { try $0.record(of: "Names", localID: reference.localID) })
    #expect(Set(record.fields.values.keys) == ["class", "self", "description"])
    let read = try #require(try store.read { try $0.find(Names.self, reference.localID) })
    #expect(read.`class` == row.`class`)
    #expect(read.selfFieldFieldField == row.selfFieldFieldField)
  }

  @Test func `a row of each class is written and read`() throws {
    let store = try store(inMemory: false)
    for type in Schema.appTypes { try roundTrip(type, in: store) }
  }

  private func roundTrip<Row: SyncEntity>(_ type: Row.Type, in store: any Store) throws {
    let reference = try store.write { try $0.insert(Row.className, [:]) }
    var row = try #require(try store.read { try $0.find(type, reference.localID) })
    try store.write { try $0.update(row) }
    row.id = LocalID()
    try store.write { try $0.insert(row) }
    #expect(try store.read { try $0.all(type).count } == 2)
  }

  /// A value of the type that the fixture gave the property.
  private func sample<Sample>(of field: String) throws -> Sample? {
    let samples: [Any] = [
      "text", Timestamp(milliseconds: 1).date, Data([1]), true, 0.5,
      Pointer(className: "Game", objectID: "g"), GeoPoint(latitude: 1, longitude: 2),
      File(name: "f"), ["a": Value.integer(1)], [Value.string("a")],
    ]
    return try #require(samples.compactMap { $0 as? Sample }.first, "\(field)")
  }

  private func store(inMemory: Bool) throws -> any Store {
    if inMemory { return try InMemoryStore(schema: .app) }
    return try SQLiteStore(at: TemporaryDirectory().url.appending(path: "s.sqlite"), schema: .app)
  }
}
