// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

// The classes of a story, one line each: `Game title:text score:integer league:League tags:array`.
extension PhraseReader {
  private static let types: [String: FieldType] = [
    "text": .text, "integer": .integer, "number": .number, "boolean": .boolean, "date": .date,
    "bytes": .bytes, "object": .object, "array": .array, "geoPoint": .geoPoint,
    "polygon": .polygon, "file": .file,
  ]

  /// `CLASS FIELD:TYPE FIELD:TYPE …`; a type that is a class is a pointer to it.
  mutating func declaredFields() throws(ScenarioError) -> StoryFields {
    let className = try word("the name of a class")
    var fields: [Field] = []
    while case .word = try peek() {
      let name = try word("the name of a field")
      try needs(sign: ":")
      let type = try word(
        "a type (\(Self.types.keys.sorted().joined(separator: ", ")), or a class)")
      fields.append(Field(name, Self.types[type] ?? .pointer(to: type)))
    }
    return StoryFields(className: className, fields: fields)
  }

  /// A class, with how its deletions are found where that is not by counting.
  mutating func entity() throws(ScenarioError) -> Entity {
    let declared = try declaredFields()
    let entity = Entity(declared.className, fields: declared.fields)
    guard try takes(sign: ",") else {
      try needsEnd("a field as score:integer, or the end of the line")
      return entity
    }
    if try takes(phrase: "soft delete by") {
      return entity.deletions(.softDelete(field: try word("a field")))
    }
    if try takes("swept") { return entity.deletions(.sweep) }
    if try takes(phrase: "never removed") { return entity.deletions(.never) }
    throw expected("\"soft delete by FIELD\", \"swept\" or \"never removed\"")
  }
}

extension StepReader {
  /// Fields that a class gains.
  func fields(_ reader: inout PhraseReader) throws(ScenarioError) -> StoryFields {
    let before = reader
    let fields = try reader.declaredFields()
    guard schema.entity(fields.className) != nil else {
      throw before.expected("a class of the schema")
    }
    return fields
  }
}

extension Schema {
  /// The same classes, one of which has gained fields.
  func adding(_ addition: StoryFields) -> Schema {
    Schema(
      entities.map { entity in
        guard entity.name == addition.className else { return entity }
        return Entity(entity.name, table: entity.table, fields: entity.fields + addition.fields)
          .deletions(entity.deletionStrategy)
      })
  }
}
