// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Testing

@Suite struct EntityTests {
  @Test func `fields that change after the declaration are found by their names`() {
    var entity = Entity("Game") {
      Field("title", .text)
      Field("score", .integer)
    }
    entity.fields.remove(at: 0)
    entity.fields.append(Field("rating", .number))
    #expect(entity.field("title") == nil)
    #expect(entity.field("score")?.type == .integer)
    #expect(entity.field("rating")?.type == .number)
  }

  @Test(arguments: [
    FieldType.text, .integer, .number, .boolean, .date, .pointer(to: "League"), .bytes, .object,
    .array, .geoPoint, .polygon, .file, .relation(to: "pointer to"),
  ])
  func `a type is found by its name`(_ type: FieldType) {
    #expect(FieldType(name: type.name) == type)
  }

  @Test func `an unknown name has no type`() { #expect(FieldType(name: "texts") == nil) }
}
