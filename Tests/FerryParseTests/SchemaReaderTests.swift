// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SchemaReaderTests {
  private func read(_ text: String) throws -> [Entity] {
    try JSONReader().read(Data(text.utf8)) { try SchemaReader.entities(byName: $0) }
  }

  @Test func `schemas in JSON are read in Parse's own form, in its order`() throws {
    let entities = try read(
      #"""
      {"Game": {"fields": {"title": {"type": "String"}, "league": {"type": "Pointer", "targetClass": "League"},
        "score": {"type": "Number", "integer": true, "defaultValue": 3, "column": "points"}},
        "deletions": {"softDelete": "gone"}, "table": "games"},
       "League": {"fields": {}}}
      """#)
    #expect(entities.map(\.name) == ["Game", "League"])
    #expect(entities[0].table == "games")
    #expect(entities[0].deletionStrategy == .softDelete(field: "gone"))
    #expect(
      entities[0].fields == [
        Field("title", .text), Field("league", .pointer(to: "League")),
        Field("score", .integer, column: "points", default: 3),
      ])
    #expect(entities[1].deletionStrategy == .counting)
  }

  @Test func `the class of a relation's members is read, and comes back`() throws {
    let members = Entity(
      membersOf: "players", in: "Team", from: "Player", name: "Squad", table: "squads")
    let read = try read(SchemaWriter.text([members]))
    #expect(read.map(\.membership) == [members.membership])
    #expect(
      read[0].name == "Squad" && read[0].table == "squads" && read[0].fields == members.fields)
    #expect(throws: SchemaReadingError.self) {
      try self.read(#"{"Squad": {"membersOf": {"className": "Team", "field": "players"}}}"#)
    }
  }

  @Test func `schemas in JSON come back as they were written`() throws {
    let entities = [
      Sample.game.deletions(.fullScan),
      Entity("League", table: "leagues") {
        Field("name", .text, column: "label", default: "a\"b")
        Field("size", .integer, default: 11)
        Field("rules", .text, merge: .lines)
        Field("colours", .array, merge: .set)
        Field("likes", .number, merge: .increment)
        Field("badge", .file, replacedFiles: .delete)
      }.deletions(.softDelete(field: "gone")),
      Entity("Empty", fields: []).deletions(.never),
      Entity("Logged", fields: []).deletions(.deletionLog),
      Entity("Asked", fields: []).deletions(.cloudFunction),
      Entity("Plain") { Field("x", .number) },
    ]
    let text = SchemaWriter.text(entities, indentation: 2)
    let read = try read(text)
    #expect(read.map(\.name) == entities.map(\.name))
    #expect(read.map(\.table) == entities.map(\.table))
    #expect(read.map(\.fields) == entities.map(\.fields))
    #expect(read.map(\.deletionStrategy) == entities.map(\.deletionStrategy))
    #expect(SchemaWriter.text(read, indentation: 2) == text)
    #expect(try self.read(SchemaWriter.text([])).isEmpty)
  }

  @Test(arguments: [
    (#"{"a":1}"#, Condition.field("a", .equal, 1)),
    (#"{"a":{"$lt":2.5}}"#, .field("a", .lessThan, 2.5)),
    (
      #"{"a":{"$gte":1,"$lt":5}}"#,
      .field("a", .greaterThanOrEqual, 1) && .field("a", .lessThan, 5)
    ),
    (#"{"s":{"$in":["x","y"]}}"#, .oneOf("s", ["x", "y"])),
    (#"{"s":null}"#, .isNull("s")), (#"{"s":{"$ne":null}}"#, !.isNull("s")),
    (
      #"{"$or":[{"s":"x"},{"a":{"$gt":1}}]}"#,
      .field("s", .equal, "x") || .field("a", .greaterThan, 1)
    ),
    (
      #"{"createdAt":{"$gte":{"__type":"Date","iso":"2026-01-01T00:00:00.000Z"}}}"#,
      .field("createdAt", .greaterThanOrEqual, .date(Timestamp(milliseconds: 1_767_225_600_000)))
    ),
  ])
  func `schemas in JSON have filters in the form of Parse's where`(
    _ text: String, _ condition: Condition
  ) throws {
    let fields = #"{"a":{"type":"Number","integer":true},"s":{"type":"String"}}"#
    let entities = try read(#"{"A":{"fields":\#(fields),"filter":\#(text)}}"#)
    #expect(entities[0].recordFilter == condition)
    try Schema(entities).validate()
    let written = SchemaWriter.text(entities)
    #expect(written.contains(#""filter": \#(text)"#))
    #expect(try read(written)[0].recordFilter == condition)
  }

  @Test func `schemas in JSON have lists of indexes, and indexes of a server mean nothing`() throws
  {
    let fields = #""fields":{"a":{"type":"String"},"s":{"type":"String"}}"#
    let lists = #"[["a"], ["s", "updatedAt"]]"#
    let entities = try read(
      #"{"A":{\#(fields),"indexes":\#(lists)},"B":{\#(fields),"indexes":[]}}"#)
    #expect(entities.map(\.indexes) == [[Index("a"), Index("s", "updatedAt")], []])
    let written = SchemaWriter.text(entities)
    #expect(written.contains(#""indexes": \#(lists)"#))
    #expect(try read(written).map(\.indexes) == entities.map(\.indexes))
    let served = try read(#"{"A":{\#(fields),"indexes":{"_id_":{"_id":1}}}}"#)
    #expect(served[0].indexes == nil && !SchemaWriter.text(served).contains("indexes"))
  }

  @Test(
    arguments: [
      (#""creator""#, .creator()), (#"{"*":{"read":true}}"#, .list(.publicRead)),
      (#"{"*":{"read":true},"creator":{"read":true,"write":true}}"#, .creator(.publicRead)),
      (
        #"{"role:A":{"write":true},"u1":{"read":true}}"#,
        .list([.role("A"): .write, .user("u1"): .read])
      ),
    ] as [(String, DefaultAccess)])
  func `schemas in JSON have the access list of new records`(
    text: String, access: DefaultAccess
  ) throws {
    let entities = try read(#"{"A":{"fields":{},"access":\#(text)},"B":{"fields":{}}}"#)
    #expect(entities.map(\.defaultAccess) == [access, .server])
    let written = SchemaWriter.text(entities)
    #expect(written.contains(#""access": \#(text)"#))
    #expect(try read(written).map(\.defaultAccess) == [access, .server])
  }

  @Test(arguments: [
    #""private""#, "1", "null", "[]", #"{"creator":{"read":true}}"#, #"{"*":"read"}"#,
    #"{"":{"read":true}}"#, #"{"*":{"update":true}}"#,
  ])
  func `access lists in JSON of another form are refused`(text: String) {
    let error = #expect(throws: SchemaReadingError.self) {
      try read(#"{"A":{"fields":{},"access":\#(text)}}"#)
    }
    #expect(
      error?.description.hasPrefix(#"A.access is neither "creator" nor an access list"#) == true)
  }

  @Test(arguments: [#""a""#, #"["a"]"#, "[[1]]", "[null]", "1", #"[["a"], {}]"#])
  func `indexes in JSON of another form are refused`(text: String) {
    let error = #expect(throws: SchemaReadingError.self) {
      try read(#"{"A":{"fields":{"a":{"type":"String"}},"indexes":\#(text)}}"#)
    }
    #expect(error?.description.hasPrefix("A.indexes has to be a list of indexes") == true)
  }

  @Test(arguments: [
    ("[]", "The schema is not an object that has a member for each class."),
    (#"{"A":{"fields":{}},"A":{"fields":{}}}"#, "A occurs twice."),
    (
      #"{"A":{"fields":{"a":{"type":"String"}},"filter":{"a":{"$regex":"x"}}}}"#,
      "A.filter.a.$regex cannot be used in a filter; $eq, $lt, $lte, $gt, $gte, $in, $exists, $or, "
        + #"$and and {"$ne": null} can."#
    ),
    (
      #"{"A":{"fields":{"a":{"type":"String"}},"filter":{"a":1}}}"#,
      "A.filter.a is compared with a value that is not of type String."
    ),
    (#"{"A":{"fields":{},"filter":{"b":1}}}"#, "A.filter.b names a field that is not declared."),
    (#"{"A":1}"#, "A is not an object."), (#"{"A":{}}"#, #"A has no object "fields"."#),
    (
      #"{"A":{"fields":{},"deletion":"fullScan"}}"#,
      #"A has the key "deletion", which means nothing here."#
    ),
    (
      #"{"A":{"fields":{},"deletions":"maybe"}}"#,
      #"A.deletions is none of "counting", "deletionLog", "cloudFunction", "fullScan", "never" and {"softDelete": FIELD}."#
    ),
    (#"{"A":{"fields":{"x":{}}}}"#, #"A.fields.x has no "type"."#),
    (#"{"A":{"fields":{"x":{"type":1}}}}"#, "A.fields.x.type is not a text."),
    (#"{"A":{"fields":{"x":"String"}}}"#, "A.fields.x is not an object."),
    (
      #"{"A":{"fields":{"x":{"type":"Pointer"}}}}"#,
      #"A.fields.x is a Pointer without "targetClass"."#
    ),
    (
      #"{"A":{"fields":{"x":{"type":"String","defaultValue":1}}}}"#,
      "A.fields.x has a default value that is not of type String."
    ),
    (
      #"{"A":{"fields":{"x":{"type":"String","merge":"words"}}}}"#,
      #"A.fields.x.merge is none of "increment", "set", "lines"."#
    ),
    (
      #"{"A":{"fields":{"x":{"type":"File","replacedFiles":"drop"}}}}"#,
      #"A.fields.x.replacedFiles is none of "keep", "delete"."#
    ),
    (
      #"{"A":{"fields":{"x":{"type":"String","replacedFiles":"delete"}}}}"#,
      "A.fields.x.replacedFiles is only for fields of type File."
    ),
    (
      #"{"A":{"fields":{"x":{"type":"String"},"x":{"type":"String"}}}}"#,
      "A.fields.x occurs twice."
    ),
  ])
  func `schemas in JSON are refused with the place of the fault`(text: String, message: String) {
    let error = #expect(throws: SchemaReadingError.self) { try read(text) }
    #expect(error?.description == message)
  }

  @Test
  func `schemas in JSON are taken from a server without what only servers have or understand`()
    throws
  {
    let body = #"""
      {"results":[{"className":"_User","fields":{"objectId":{"type":"String"},"createdAt":{"type":"Date"},
        "updatedAt":{"type":"Date"},"ACL":{"type":"ACL"},"username":{"type":"String"},"password":{"type":"String"},
        "authData":{"type":"Object"}},"classLevelPermissions":{"find":{"*":true}},"indexes":{},"news":1},
       {"className":"Game","fields":{"title":{"type":"String","required":true,"defaultValue":"x","news":2},
        "odd":{"type":"Tensor"},"_private":{"type":"String"}}}]}
      """#
    let entities = try ParseResponses().schemas(Sample.response(200, body))
    #expect(entities.map(\.name) == ["_User", "Game"])
    #expect(entities.map { $0.fields.map(\.name) } == [["username"], ["title"]])
  }
}
