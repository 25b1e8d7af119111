// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Foundation
import Testing

/// Holds Swift types against the classes of which they are rows.
@Suite(.timeLimit(.minutes(5)))
struct SchemaCheckingTests {
  private let schema = Schema {
    Entity("Game") {
      Field("title", .text)
      Field("score", .integer)
      Field("rating", .number)
      Field("isOver", .boolean)
      Field("playedAt", .date)
      Field("photo", .bytes)
      Field("league", .pointer(to: "League"))
      Field("place", .geoPoint)
      Field("area", .polygon)
      Field("poster", .file)
      Field("venue", .object)
      Field("tags", .array)
      Field("status", .text)
      Field("fans", .relation(to: "Fan"))
    }
  }

  enum Status: String, Codable { case open, closed }

  struct Venue: Codable {
    var name: String
    var status: Status?
    var halls: [Venue]
  }

  struct Game: SyncEntity {
    var id = LocalID()
    var objectId: String?
    var createdAt: Date?
    var updatedAt: Timestamp?
    var title: String
    var score: UInt8?
    var rating: Double
    var isOver: Bool?
    var playedAt: Timestamp?
    var photo: Data
    var league: Pointer
    var place: GeoPoint?
    var area: Value
    var poster: File?
    var venue: Venue
    var tags: [String]
    var status: Status?
  }

  private func problems(of types: any SyncEntity.Type...) -> [String] {
    do {
      try schema.check(types)
      return []
    } catch {
      return error.problems.map { "\($0.className ?? "").\($0.field ?? ""): \($0.code.rawValue)" }
    }
  }

  private var names: Set<String> { Set(schema.entities[0].fields.map(\.name)) }

  @Test func `a type with a property for each field is right`() {
    #expect(problems(of: Game.self) == [])
  }

  @Test func `missing, mistyped and undeclared properties are named, all at once`() throws {
    struct Odd: SyncEntity {
      static let className = "Game"
      static let fieldsLeftOut: Set<String> = [
        "photo", "league", "place", "area", "poster", "venue", "status", "isOver", "playedAt",
      ]
      var id = LocalID()
      var updatedAt: Bool?
      var title: Int?
      var score: String
      var rating: Int
      var fans: Value?
      var extra: String?
      var other: Int
    }
    #expect(
      problems(of: Odd.self) == [
        "Game.title: property-type", "Game.score: property-type", "Game.rating: property-type",
        "Game.tags: missing-property", "Game.fans: property-type",
        "Game.extra: undeclared-property", "Game.other: undeclared-property",
        "Game.updatedAt: property-type",
      ])
    let error = #expect(throws: SchemaError.self) { try schema.check([Odd.self]) }
    let text = try #require(error).description
    #expect(text.hasPrefix("The schema and the Swift types differ in 8 places:\n- "))
    #expect(
      text.contains(
        "The type Odd has no property for the field tags of Game. Add one, or name the field in the "
          + "type's fieldsLeftOut."))
  }

  @Test func `a type of a class that is not registered is refused`() {
    struct League: SyncEntity { var id = LocalID() }
    #expect(problems(of: League.self, Game.self) == ["League.: unregistered-class"])
  }

  @Test func `a wrong type is found behind a property that takes no sample`() {
    struct Late: SyncEntity {
      static let className = "Game"
      static let fieldsLeftOut: Set<String> = [
        "photo", "league", "place", "area", "poster", "rating", "isOver", "playedAt",
      ]
      enum Kind: String, Codable, CaseIterable { case one, two }
      var id = LocalID()
      var status: Status?
      var title: Kind
      var venue: Venue?
      var tags: [Int: String]?
      var score: Bool?
    }
    #expect(
      problems(of: Late.self) == ["Game.score: property-type", "Game.tags: property-type"])
  }

  @Test func `missing fields are found behind a property without a sample that must have one`() {
    struct Stuck: SyncEntity {
      static let className = "Game"
      static let fieldsLeftOut: Set<String> = [
        "photo", "league", "place", "area", "poster", "rating", "isOver", "playedAt", "venue",
      ]
      var id = LocalID()
      var status: Status
      var title: Int?
    }
    #expect(
      problems(of: Stuck.self) == ["Game.score: missing-property", "Game.tags: missing-property"])
  }

  @Test func `a default of the field is a sample, too`() {
    struct Row: SyncEntity {
      var id = LocalID()
      var status: Status
      var title: Int?
    }
    let schema = Schema {
      Entity("Row") {
        Field("status", .text, default: "open")
        Field("title", .text)
      }
    }
    let error = #expect(throws: SchemaError.self) { try schema.check([Row.self]) }
    #expect(error?.problems.map(\.field) == ["title"])
  }

  @Test func `a type may decode itself, under other names and by hand`() {
    struct Own: SyncEntity {
      static let className = "Game"
      static let fieldsLeftOut: Set<String> = [
        "photo", "league", "place", "area", "poster", "rating", "isOver", "playedAt", "status",
      ]
      enum CodingKeys: String, CodingKey { case name = "title", points = "score", venue, tags }
      enum VenueKeys: String, CodingKey { case name }
      var id = LocalID()
      var name: String
      var points: Int
      var venue: String
      var tags: [Int]

      init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        name = try values.decodeIfPresent(String.self, forKey: .name) ?? "unnamed"
        points = values.contains(.points) ? try values.decode(Int.self, forKey: .points) : 0
        venue = try values.nestedContainer(keyedBy: VenueKeys.self, forKey: .venue)
          .decode(String.self, forKey: .name)
        var list = try values.nestedUnkeyedContainer(forKey: .tags)
        tags = []
        while !list.isAtEnd { tags.append(try list.decode(Int.self)) }
      }

      func encode(to encoder: any Encoder) throws {}
    }
    #expect(problems(of: Own.self) == [])
  }

  @Test func `a type without named properties has none`() {
    struct Whole: SyncEntity {
      static let className = "Game"
      var id = LocalID()
      init(from decoder: any Decoder) throws {
        _ = try decoder.singleValueContainer().decode(String.self)
      }
      func encode(to encoder: any Encoder) throws {}
    }
    #expect(problems(of: Whole.self).count == names.count - 1)
  }

  @Test func `a class that contains itself ends the search for samples`() {
    final class Chain: Codable, Sendable {
      let next: Chain
      init(next: Chain) { self.next = next }
    }
    struct Row: SyncEntity {
      var id = LocalID()
      var chain: Chain?
    }
    let schema = Schema { Entity("Row") { Field("chain", .object) } }
    #expect(throws: Never.self) { try schema.check([Row.self]) }
  }
}
