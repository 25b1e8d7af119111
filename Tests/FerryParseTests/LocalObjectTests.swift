// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Foundation
import Testing

@testable import FerryParse

/// The JSON of another library's objects, without a file and without a store.
@Suite struct LocalObjectTests {
  private static let game = Entity("Game") {
    Field("title", .text)
    Field("score", .integer)
    Field("tags", .array)
    Field("league", .pointer(to: "League"))
    Field("players", .relation(to: "Player"))
  }

  private func read(
    _ json: String, uuid: String? = "U", _ resolve: LocalObjectReader.Resolving = { _ in nil }
  ) throws -> Result<LocalObject, LocalObjectReader.Failure> {
    try LocalObjectReader().read(
      KeptObject(className: "Game", uuid: uuid, json: Data(json.utf8)), resolving: resolve)
  }

  private func edited(_ sets: String..., over row: Fields = Fields()) throws -> EditedFields {
    let object = try read("{\"__operations\":[\(sets.joined(separator: ","))]}") { key in
      key == "L" ? Pointer(className: "League", objectID: "l1") : nil
    }.get()
    return EditedFields(object.edits, of: row, in: Self.game)
  }

  @Test func `an object of an export is a whole record without edits`() throws {
    let text = #"{"objectId":"a","title":"x","ACL":{},"createdAt":"c","updatedAt":"u"}"#
    let object = try read(text, uuid: nil).get()
    #expect(object.record == Data(text.utf8))
    #expect(object.isComplete && !object.isDeleted && object.edits.isEmpty)
    #expect(object.objectID == "a" && object.names == ["title"])
  }

  @Test func `the members that the SDK adds are no fields`() throws {
    let object = try read(
      #"{"className":"Game","__complete":false,"isDeletingEventually":2,"title":"x","__operations":["#
        + #"{"__uuid":"1","__updatedAt":{"__type":"Date","iso":"2026-01-01T00:00:00.000Z"}},"#
        + #"{"__uuid":"2","__isSaveEventually":true,"title":"y"}]}"#
    ).get()
    #expect(!object.isComplete && object.isDeleted && object.names == ["title"])
    #expect(object.edits == [LocalEdit(id: "2", changes: ["title": .set("y")])])
  }

  @Test(arguments: [
    "", "{", "[]", "1", #"{"a":1,"a":2}"#, #"{"__operations":1}"#, #"{"__operations":[1]}"#,
  ])
  func `what is no object says why`(_ text: String) throws {
    guard case .failure(let failure) = try read(text) else {
      Issue.record("\(text) was read")
      return
    }
    #expect(failure.reason.hasPrefix("Its ") && failure.reason.hasSuffix("."))
  }

  @Test func `edits are carried out in order`() throws {
    let edits = try edited(
      #"{"score":{"__op":"Increment","amount":2},"tags":{"__op":"Add","objects":["c","a"]}}"#,
      #"{"score":{"__op":"Increment","amount":-5},"tags":{"__op":"AddUnique","objects":["a","d"]}}"#,
      #"{"tags":{"__op":"Remove","objects":["a"]},"title":{"__op":"Delete"}}"#,
      over: ["score": 10, "tags": ["a"], "title": "t"])
    #expect(edits.values == ["score": 7, "tags": ["c", "d"], "title": .null])
    #expect(edits.refusals.isEmpty && edits.accessList == nil && edits.members.isEmpty)
    let set = try edited(
      #"{"score":{"__op":"Delete"}}"#, #"{"score":{"__op":"Increment","amount":1}}"#,
      #"{"ACL":{"*":{"read":true}}}"#, over: ["score": 10])
    #expect(set.values == ["score": 1] && set.accessList == ["*": ["read": true]])
  }

  @Test func `an access list that was removed is open, and one of an unsaved user is left out`()
    throws
  {
    #expect(try edited(#"{"ACL":{"__op":"Delete"}}"#).accessList == AccessList.open.value)
    let unresolved = try edited(
      #"{"ACL":{"*unresolved":{"read":true},"unresolvedUser":{"__type":"OfflineObject","uuid":"L"}},"score":1}"#
    )
    #expect(unresolved.accessList == nil && unresolved.values == ["score": 1])
    #expect(unresolved.refusals.map(\.field) == ["ACL"])
  }

  @Test func `keys of the source become pointers, and unknown ones leave the field out`() throws {
    let edits = try edited(#"{"league":{"__type":"OfflineObject","uuid":"L"}}"#)
    #expect(edits.values == ["league": .pointer(Pointer(className: "League", objectID: "l1"))])
    for value in [
      #"{"__type":"OfflineObject","uuid":"M"}"#, #"{"__type":"OfflineObject"}"#,
      #"{"__type":"Pointer","className":"League","localId":"local_1"}"#,
    ] {
      let edits = try edited("{\"title\":\"x\",\"league\":\(value)}")
      #expect(edits.values == ["title": "x"])
      #expect(edits.refusals.map(\.reason) == [.unresolvedPointer])
    }
    let players = try edited(
      #"{"players":{"__op":"Batch","ops":[{"__op":"AddRelation","objects":[{"__type":"Pointer","className":"Player","#
        + #""objectId":"p"}]},{"__op":"RemoveRelation","objects":[]}]}}"#)
    #expect(
      players.members == [
        .init(field: "players", record: Pointer(className: "Player", objectID: "p"), isAdded: true)
      ])
  }

  @Test func `values that do not fit are refused, and the others stay`() throws {
    let edits = try edited(
      #"{"score":"x","title":"y","tags":{"__op":"Increment","amount":1},"other":1,"league":{"__type":"File"}}"#,
      #"{"players":{"__type":"Relation","className":"Player"},"ACL":3}"#, over: ["tags": ["a"]])
    #expect(edits.values == ["title": "y"])
    #expect(
      Dictionary(uniqueKeysWithValues: edits.refusals.map { ($0.field, $0.reason) }) == [
        "score": .wrongType, "tags": .wrongType, "other": .unknownField, "league": .wrongType,
        "players": .wrongType, "ACL": .wrongType,
      ])
  }

  @Test func `sets without a key get one by their content`() throws {
    let texts = [#"{"title":"a"}"#, #"{"title":"b"}"#]
    let ids = try texts.map { try read("{\"__operations\":[\($0)]}").get().edits[0].id }
    #expect(Set(ids).count == 2)
    #expect(try read("{\"__operations\":[\(texts[0])]}").get().edits[0].id == ids[0])
  }
}
