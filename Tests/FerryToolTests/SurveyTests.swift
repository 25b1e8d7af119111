// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Testing

@testable import FerryTool

@Suite(.timeLimit(.minutes(10)))
struct SurveyTests {
  @Test func `the survey derives fields from the values of a sample`() {
    let rows: [[String: Value]] = [
      [
        "objectId": "a", "createdAt": "x", "updatedAt": "x", "ACL": [:], "title": "Final",
        "score": 3, "rating": 1.5, "isOver": true, "playedAt": .date(Timestamp(milliseconds: 0)),
        "league": .pointer(Pointer(className: "League", objectID: "l")), "tags": ["a"],
        "extra": ["a": 1], "data": .bytes([1]),
        "place": .geoPoint(GeoPoint(latitude: 1, longitude: 2)),
        "area": .polygon([]), "image": .file(File(name: "a.png")),
        "fans": .object(["__type": "Relation", "className": "_User"]), "mixed": 1, "empty": nil,
      ],
      ["title": nil, "late": "x", "mixed": "one", "score": 2.5],
    ]
    let found = SampledClass("Game", rows: rows)
    let types = Dictionary(
      uniqueKeysWithValues: found.entity.fields.map { ($0.name, $0.type) })
    let expected: [String: FieldType] = [
      "title": .text, "score": .number, "rating": .number, "isOver": .boolean, "playedAt": .date,
      "league": .pointer(to: "League"), "tags": .array, "extra": .object, "data": .bytes,
      "place": .geoPoint, "area": .polygon, "image": .file, "fans": .relation(to: "_User"),
      "late": .text,
    ]
    #expect(types == expected)
    #expect(found.untyped == ["empty", "mixed"])
  }

  @Test func `the survey finds no fields without rows`() {
    let found = SampledClass("Game", rows: [])
    #expect(found.entity.fields.isEmpty)
    #expect(found.untyped.isEmpty)
  }

  @Test func `the survey gives fields names that SQLite can use`() throws {
    let named = UsableNames([
      Entity(
        "Note",
        fields: [
          Field("when", .date), Field("name", .text), Field("Name", .text), Field("title", .text),
        ]), Entity("note", fields: [Field("order", .integer)]), Entity("Group", fields: []),
    ])
    #expect(named.problems.isEmpty)
    try Schema(named.entities).validate()
    let columns = named.entities[0].fields.map(\.column)
    #expect(columns.contains("whenValue"))
    #expect(columns.contains("title"))
    #expect(Set(named.entities.map { $0.table.lowercased() }).count == 3)
    #expect(!named.notes.isEmpty)
    let plain = UsableNames([Entity("Game", fields: [Field("title", .text)])])
    #expect(plain.notes.isEmpty)
  }

  @Test func `the survey names the fields and classes to declare by hand`() throws {
    var result = ClassSurvey.Result(
      source: .sample,
      entities: [Entity("Game", fields: [Field("title", .text)])]
        + ["League", "Closed", "Private"].map { Entity($0, fields: []) })
    result.untyped = [.init(className: "Game", field: "rating")]
    result.refused = [
      .init(className: "Closed", reason: .forbidden),
      .init(className: "Private", reason: .loginNeeded),
    ]
    #expect(result.classesWithoutFields == ["League", "Closed", "Private"])
    try Snapshot.expect(
      (result.warnings + [result.json(file: "/games/ferry.json").line]).joined(separator: "\n"),
      is: "report/survey")
  }
}
