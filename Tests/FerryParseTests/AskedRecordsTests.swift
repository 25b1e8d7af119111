// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Foundation
import Testing

@testable import FerryParse

/// The questions to a server for queries of the store.
@Suite struct AskedRecordsTests {
  private static let schema = Schema {
    Entity("League") {
      Field("name", .text)
      Field("teams", .integer)
    }
    Entity("Game") {
      Field("title", .text)
      Field("score", .integer)
      Field("open", .boolean)
      Field("playedAt", .date)
      Field("tags", .array)
      Field("place", .geoPoint)
      Field("league", .pointer(to: "League"))
      Field("fans", .relation(to: "League"))
    }
  }

  private func asked(_ condition: Condition, limit: Int? = nil) -> AskedRecords {
    Query("Game", where: condition, limit: limit).askedRecords(in: Self.schema)
  }

  /// The constraint as JSON, with a star behind it if it is exact; the other selections as words.
  private func text(_ condition: Condition) -> String {
    let asked = asked(condition)
    let text =
      switch asked.selection {
      case .everything: "everything"
      case .nothing: "nothing"
      case .some(let constraint): WireJSON.text(.object(constraint.wire))
      }
    return text + (asked.isExact ? " *" : "")
  }

  @Test func `servers are asked for what they decide like the store`() {
    let date = Timestamp(milliseconds: 5)
    let cases: [(Condition, String)] = [
      (.field("score", .lessThan, 3), #"{"score":{"$lt":3}} *"#),
      (!.field("score", .lessThan, 3), #"{"score":{"$gte":3}} *"#),
      (.field("score", .notEqual, 3), #"{"$or":[{"score":{"$lt":3}},{"score":{"$gt":3}}]} *"#),
      (.field("score", .equal, .null), "nothing *"),
      (!.field("score", .equal, .null), "nothing *"),
      (.field("title", .equal, "a"), #"{"title":"a"} *"#),
      (.field("title", .notEqual, "a"), #"{"title":{"$ne":null}}"#),
      (.field("title", .lessThan, "a"), #"{"title":{"$ne":null}}"#),
      (.field("title", .equal, "a\u{0}"), #"{"title":{"$ne":null}}"#),
      (.field("open", .notEqual, true), #"{"open":false} *"#),
      (.oneOf("score", [1, .null]), #"{"score":{"$in":[1]}} *"#),
      (!.oneOf("score", [1, .null]), "nothing *"),
      (!.oneOf("score", []), "everything *"),
      (.oneOf("title", []), "nothing *"),
      (.isNull("playedAt"), #"{"playedAt":null} *"#),
      (!.isNull("playedAt"), #"{"playedAt":{"$ne":null}} *"#),
      (.isNull("createdAt"), "nothing *"),
      (.isNull("fans"), "everything"),
      (.text("title", .prefix("Ab c")), #"{"title":{"$regex":"^Ab c"}} *"#),
      (.text("title", .contains("é")), #"{"title":{"$regex":"é"}} *"#),
      (.text("title", .contains("a.b")), #"{"title":{"$ne":null}}"#),
      (.text("title", .contains("😀")), #"{"title":{"$ne":null}}"#),
      (.text("title", .suffix("a")), #"{"title":{"$regex":"a$"}}"#),
      (.text("title", .equals("a"), .ignoringCase), #"{"title":{"$ne":null}}"#),
      (!.text("title", .prefix("a")), #"{"title":{"$ne":null}}"#),
      (.contains("tags", "a"), #"{"tags":{"$ne":null}}"#),
      (.isUnsent, "nothing"),
      (!.isUnsent, "everything"),
      (.field("localId", .equal, 1), "everything"),
      (.field("objectId", .equal, "a"), #"{"objectId":"a"} *"#),
      (.field("objectId", .lessThan, "a"), "everything"),
      (
        .field("playedAt", .equal, .date(date)),
        #"{"playedAt":{"$gte":{"__type":"Date","iso":"1970-01-01T00:00:00.005Z"},"#
          + #""$lt":{"__type":"Date","iso":"1970-01-01T00:00:00.006Z"}}} *"#
      ),
    ]
    for (condition, expected) in cases { #expect(text(condition) == expected, "\(condition)") }
  }

  @Test func `other rows are asked for by a query within the query`() {
    let inner = #"{"league":{"$inQuery":{"className":"League","where":{"teams":{"$gt":3}}}}}"#
    #expect(text(.field("league.teams", .greaterThan, 3)) == inner)
    #expect(text(!.field("league.teams", .lessThanOrEqual, 3)) == inner)
    let league = Query("League", where: .field("teams", .greaterThan, 3))
    #expect(text(.among("league", league)) == inner)
    let present = #"{"league":{"$ne":null}}"#
    // Without rows of the other query, a game without a league is not among them.
    #expect(text(!.among("league", league)) == "everything")
    #expect(text(!.among("league.name", league, of: "name")) == "everything")
    #expect(text(!.oneOf("league.name", [])) == "everything *")
    var limited = league
    limited.limit = 3
    #expect(text(.among("league", limited)) == present)
    // No row, and no value in the row, are the same for the store.
    #expect(text(.isNull("league.teams")) == "everything")
    #expect(text(.field("league.name", .equal, .null)) == "nothing *")
  }

  @Test func `parts that the server cannot decide make no part of the rest wrong`() {
    let score: Condition = .field("score", .equal, 1)
    let order: Condition = .field("localId", .greaterThan, 1)
    #expect(text(score && order) == #"{"score":1}"#)
    #expect(text(score || order) == "everything")
    #expect(text(!(score && order)) == "everything")
    #expect(text(score || .isUnsent) == #"{"score":1} *"#)
    #expect(text(.any([])) == "nothing *")
    #expect(text(.all([])) == "everything *")
    #expect(text(!.all([score, .any([])])) == "everything *")
  }

  @Test func `two pointers in one condition stay two queries`() {
    let both: Condition =
      .field("league.teams", .equal, 1)
      && .oneOf("league", [.pointer(Pointer(className: "League", objectID: "a"))])
      && .field("league.name", .equal, "x")
    // Parse Server would add what a query finds to a list beside it.
    #expect(text(both).hasPrefix(#"{"$and":["#))
  }

  @Test func `an area is asked for as a box that has all of it`() throws {
    let berlin = GeoPoint(latitude: 52.5, longitude: 13.4)
    let box = try #require(GeoArea.circle(around: berlin, kilometres: 100).box)
    for angle in stride(from: 0.0, to: 6.28, by: 0.1) {
      for share in [0.2, 0.999] {
        let point = GeoPoint(
          latitude: berlin.latitude + share * 0.899 * sin(angle),
          longitude: berlin.longitude + share * 1.48 * cos(angle))
        guard GeoArea.circle(around: berlin, kilometres: 100).contains(point) else { continue }
        #expect(GeoArea.box(southWest: box.southWest, northEast: box.northEast).contains(point))
      }
    }
    let edge = GeoPoint(latitude: 0, longitude: 179.9)
    #expect(GeoArea.circle(around: edge, kilometres: 100).box == nil)
    #expect(
      GeoArea.circle(around: GeoPoint(latitude: 89.9, longitude: 0), kilometres: 100).box == nil)
    #expect(GeoArea.box(southWest: edge, northEast: berlin).box == nil)
    #expect(
      text(.within("place", .circle(around: edge, kilometres: 100))) == #"{"place":{"$ne":null}}"#)
    #expect(
      text(
        .within("place", .box(southWest: GeoPoint(latitude: 1, longitude: 2), northEast: berlin))
      )
      .hasPrefix(#"{"place":{"$within":{"$box":["#))
  }

  @Test func `a class says in JSON that it is on demand`() throws {
    let entities = [Entity("Photo", fields: []).onDemand(), Entity("Note", fields: [])]
    let json = try JSONReader().read(Data(SchemaWriter.text(entities).utf8)) {
      try SchemaReader.entities(byName: $0)
    }
    #expect(json.map(\.isOnDemand) == [true, false])
    let faulty = #"{"Photo":{"fields":{},"onDemand":1}}"#
    #expect(throws: SchemaReadingError.self) {
      try JSONReader().read(Data(faulty.utf8)) { try SchemaReader.entities(byName: $0) }
    }
  }
}
