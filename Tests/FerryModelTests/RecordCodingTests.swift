// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import Foundation
import Testing

/// Converts Swift types to fields and back.
@Suite(.timeLimit(.minutes(5)))
struct RecordCodingTests {
  enum Status: String, Codable { case open, closed }

  struct Venue: Codable, Equatable {
    var name: String
    var seats: Int?
    var built: Date?
  }

  struct Game: SyncEntity, Equatable {
    var id = LocalID()
    var objectId: String?
    var createdAt: Date?
    var updatedAt: Timestamp?
    var title: String
    var score: Int?
    var ratio: Double?
    var isOpen: Bool?
    var playedAt: Date?
    var stamp: Timestamp?
    var photo: Data?
    var league: Pointer?
    var place: GeoPoint?
    var poster: File?
    var home: URL?
    var status: Status?
    var venue: Venue?
    var tags: [String]?
    var moves: [[Int]]?
    var anything: Value?
    var small: UInt8?
  }

  private let full: Fields = [
    "title": "Final", "score": 3, "ratio": 0.5, "isOpen": true,
    "playedAt": .date(Timestamp(milliseconds: 1_772_389_800_250)),
    "stamp": .date(Timestamp(milliseconds: -1)), "photo": .bytes([0, 255]),
    "league": .pointer(Pointer(className: "League", objectID: "l1")),
    "place": .geoPoint(GeoPoint(latitude: 1, longitude: -2.5)),
    "poster": .file(File(name: "a.jpg")),
    "home": "https://example.com/a", "status": "closed",
    "venue": ["name": "Arena", "seats": .null, "built": .date(Timestamp(milliseconds: 0))],
    "tags": ["a", "ü"], "moves": [[1, 2], []],
    "anything": ["deep": [1, .null, .date(Timestamp(milliseconds: 5))]], "small": 255,
  ]

  private func record(_ fields: Fields) -> Record {
    Record(
      className: "Game", localID: LocalID(rawValue: 4), objectID: "g4", fields: fields,
      createdAt: Timestamp(milliseconds: 9000),
      version: ServerVersion(rawValue: "1970-01-01T00:00:09.500Z"))
  }

  @Test func everyTypeSurvivesBothWays() throws {
    let game = try RecordDecoder.entity(Game.self, from: record(full))
    #expect(game.id == LocalID(rawValue: 4))
    #expect(game.objectId == "g4")
    #expect(game.createdAt == Date(timeIntervalSince1970: 9))
    #expect(game.updatedAt == Timestamp(milliseconds: 9500))
    #expect(game.playedAt?.timeIntervalSince1970 == 1_772_389_800.25)
    #expect(game.photo == Data([0, 255]))
    #expect(game.venue == Venue(name: "Arena", seats: nil, built: Date(timeIntervalSince1970: 0)))
    #expect(game.status == .closed)
    #expect(game.moves == [[1, 2], []])
    #expect(try RecordEncoder.fields(of: game) == full)
  }

  @Test func nilClearsAndWhatIsTheServersIsNotWritten() throws {
    let game = try RecordDecoder.entity(Game.self, from: record(["title": "x"]))
    let fields = try RecordEncoder.fields(of: game)
    #expect(fields["title"] == "x")
    #expect(fields.values.count == full.values.count)
    #expect(fields.values.filter { $0.key != "title" }.values.allSatisfy { $0.isNull })
  }

  @Test(
    arguments: [
      ["title": .null], ["title": 1], ["title": "x", "score": 1.5], ["title": "x", "small": 256],
      ["title": "x", "photo": "text"], ["title": "x", "playedAt": "2026-01-01"],
      ["title": "x", "status": "other"], ["title": "x", "tags": [1]],
      ["title": "x", "venue": ["seats": 1]],
    ] as [Fields])
  func whatDoesNotFitIsAnError(fields: Fields) {
    #expect(throws: DecodingError.self) {
      try RecordDecoder.entity(Game.self, from: record(fields))
    }
  }

  @Test func wholeNumbersStandForNumbersOfBothKinds() throws {
    let game = try RecordDecoder.entity(
      Game.self, from: record(["title": "x", "ratio": 2, "score": 3.0]))
    #expect(game.ratio == 2)
    #expect(game.score == 3)
  }

  @Test func aTypeWithoutNamedPropertiesIsRefused() {
    struct Odd: SyncEntity {
      var id = LocalID()
      init() {}
      init(from decoder: any Decoder) throws {}
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode("odd")
      }
    }
    #expect(throws: EncodingError.self) { try RecordEncoder.fields(of: Odd()) }
    #expect(Odd.className == "Odd")
  }

  @Test func aNumberThatDoesNotFitIsRefused() {
    struct Big: SyncEntity {
      var id = LocalID()
      var n = UInt64.max
    }
    #expect(throws: EncodingError.self) { try RecordEncoder.fields(of: Big()) }
  }
}
