// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryTestSupport
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct WireRoundTripTests {
  @Test(arguments: 0..<50 as Range<UInt64>)
  func `values on the wire come back as they were written`(seed: UInt64) throws {
    var random = ValueGenerator(seed: seed)
    for _ in 0..<40 {
      let value = random.value(depth: 0)
      let text = WireJSON.text(value)
      let read = try Value(json: text)
      #expect(read == value)
      #expect(WireJSON.text(read) == text)
    }
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func `values on the wire come back through a body and a page`(seed: UInt64) throws {
    var random = ValueGenerator(seed: seed)
    let serializer = SchemaSerializer(Sample.game)
    var reader = PageReader(Sample.game)
    for _ in 0..<10 {
      var fields = random.fields(of: Sample.game)
      var body = try serializer.createBody(fields, objectID: "a")
      body["createdAt"] = "2026-01-01T00:00:00.000Z"
      body["updatedAt"] = "2026-01-01T00:00:00.000Z"
      let page = try reader.read(Data(WireJSON.text(["results": [.object(body)]]).utf8))
      #expect(page.failures.isEmpty)
      let read = try #require(page.records.first).fields(of: Sample.game)
      // No body holds a relation, and every record has it.
      for field in Sample.game.fields where !field.type.emptyValue.isNull {
        fields[field.name] = field.type.emptyValue
      }
      #expect(read.difference(from: fields).isEmpty)
    }
  }

  @Test(arguments: [
    #"{"__type":"Date","iso":"2026-01-01"}"#, #"{"__type":"Date"}"#,
    #"{"__type":"Planet","x":1}"#,
    #"{"__type":"Date","iso":"2026-01-01T00:00:00.000Z","more":1}"#, #"{"__type":7}"#,
    #"{"__type":"Pointer","className":"A"}"#, #"{"__type":"File","name":"a","url":null}"#,
    #"{"__type":"Bytes","base64":"AQJ="}"#, #"{"__type":"Bytes","base64":"%"}"#,
    #"{"__type":"GeoPoint","latitude":"1","longitude":2}"#,
    #"{"__type":"Polygon","coordinates":[[1,2,3]]}"#,
    #"{"__type":"Object","className":"A","objectId":"x"}"#,
    #"{"__type":"Relation","className":"A"}"#,
  ])
  func `values on the wire stay plain objects where they only look like Parse's types`(text: String)
    throws
  {
    let value = try Value(json: text)
    guard case .object = value else {
      Issue.record("\(text) became \(value)")
      return
    }
    #expect(try Value(json: WireJSON.text(value)) == value)
  }

  @Test func `values on the wire refuse a key that stands twice, however deep`() {
    for text in [#"{"a":1,"a":1}"#, #"[{"b":{"a":1,"\u0061":2}}]"#] {
      let error = #expect(throws: JSONError.self) { try Value(json: text) }
      #expect(error?.code == .duplicateKey)
    }
  }

  @Test func `values on the wire that are operations keep their form`() throws {
    let pointer = Pointer(className: "Player", objectID: "p")
    let all: [ParseOperation] = [
      .increment(by: 2), .increment(by: -0.5), .add([1, "a"]), .addUnique([nil]), .remove([]),
      .delete, .addRelation([pointer]), .removeRelation([pointer]),
    ]
    for operation in all {
      #expect(ParseOperation(wire: try Value(json: WireJSON.text(operation.wire))) == operation)
    }
    for text in [
      #"{"__op":"Launch"}"#, #"{"__op":"Increment","amount":"1"}"#, "{}", #"{"__op":"Add"}"#,
    ] {
      #expect(ParseOperation(wire: try Value(json: text)) == nil)
    }
  }
}
