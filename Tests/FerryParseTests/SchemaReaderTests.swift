// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import Foundation
import Testing

@Suite("Schemas in JSON", .timeLimit(.minutes(1)))
struct SchemaReaderTests {
  private func read(_ text: String) throws -> [Entity] {
    try JSONReader().read(Data(text.utf8)) { try SchemaReader.entities(byName: $0) }
  }

  @Test("are read in Parse's own form, in its order")
  func classes() throws {
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

  @Test("come back as they were written")
  func roundTrip() throws {
    let entities = [
      Sample.game.deletions(.sweep),
      Entity("League", table: "leagues") {
        Field("name", .text, column: "label", default: "a\"b")
        Field("size", .integer, default: 11)
      }.deletions(.softDelete(field: "gone")),
      Entity("Empty", fields: []).deletions(.never), Entity("Plain") { Field("x", .number) },
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

  @Test(
    "are refused with the place of the fault",
    arguments: [
      ("[]", "The schema is not an object that has a member for each class."),
      (#"{"A":{"fields":{}},"A":{"fields":{}}}"#, "A stands there twice."),
      (#"{"A":1}"#, "A is not an object."), (#"{"A":{}}"#, #"A has no object "fields"."#),
      (
        #"{"A":{"fields":{},"deletion":"sweep"}}"#,
        #"A has the key "deletion", which means nothing here."#
      ),
      (
        #"{"A":{"fields":{},"deletions":"maybe"}}"#,
        #"A.deletions is none of "counting", "sweep", "never" and {"softDelete": FIELD}."#
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
        #"{"A":{"fields":{"x":{"type":"String"},"x":{"type":"String"}}}}"#,
        "A.fields.x stands there twice."
      ),
    ])
  func faults(text: String, message: String) {
    let error = #expect(throws: SchemaReadingError.self) { try read(text) }
    #expect(error?.description == message)
  }

  @Test("are taken from a server without what only servers have or understand")
  func serverForm() throws {
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
