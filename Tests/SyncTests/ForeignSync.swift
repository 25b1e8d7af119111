// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

/// A device with Ferry and an app with another client, and what happens between them.
struct ForeignSync {
  typealias Row = RealServerAccess.Row

  let world: ForeignWorld
  let device: Device
  let app: ForeignClient

  private func agree(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    try await world.expectAgreement(device, app, sourceLocation: sourceLocation)
  }

  /// The id of the game of that title.
  private func game(_ title: String) throws -> String {
    try device.record("Game", title).objectID
  }

  /// Every type of value, alone and inside others.
  func theAppCreates() async throws {
    let players = try await app.saveAll(
      "Player", (0..<25).map { ["name": .string("Player \($0) 日本 ⚽️")] })
    #expect(players.count == 25)
    try await app.save("Player", players[0], ["partner": .pointer("Player", players[1])])
    let games: [Row] = [
      [
        "title": "everything", "score": 9_007_199_254_740_991, "ratio": .number(0.1 + 0.2),
        "isFinal": true, "playedAt": .date("1969-07-20T20:17:40.001Z"),
        "home": .pointer("Player", players[2]),
        "place": ["__type": "GeoPoint", "latitude": 47.3769, "longitude": -122.5],
        "area": [
          "__type": "Polygon", "coordinates": [[0, 0], [0, 10.5], [10.25, 10], [0, 0]],
        ],
        "tags": [
          "a", 1, -2.5, .null, [1, [2]], .date("2026-01-01T00:00:00.000Z"),
          .pointer("Player", players[3]), ["deep": ["er": .bool(false)]],
        ],
        "details": [
          "at": .date("2026-02-03T04:05:06.789Z"), "by": .pointer("Player", players[4]),
          "none": .null, "list": [1, "two", ["three": 3]], "empty": [:],
        ],
        "sheet": ["__type": "Bytes", "base64": "//79+g=="],
        "squad": ["__op": "AddRelation", "objects": [.pointer("Player", players[5])]],
      ],
      ["title": "nearly nothing"],
      [
        "title": "e\u{301} \" \\ / \u{1}\u{2028} ' ; --", "score": 0, "ratio": .number(1e-7),
        "isFinal": false, "tags": [], "details": [:], "playedAt": .date("2149-12-31T23:59:59.999Z"),
      ],
      ["title": "large", "score": -9_007_199_254_740_991, "ratio": .number(1e21)],
    ]
    for fields in games { try await app.save("Game", nil, fields) }
    try await agree()
    let count = try await app.tell("count", ["className": "Player"])
    #expect(count == 25)
  }

  /// Operations of the SDK that Ferry has no call for: the device gets their results.
  func theAppEdits() async throws {
    let (first, second) = (try game("everything"), try game("nearly nothing"))
    let players = try await device.store.read { try $0.records(of: "Player") }.map(\.objectID)
    try await app.save("Game", first, ["score": ["__op": "Increment", "amount": -41]])
    try await app.save(
      "Game", first,
      [
        "tags": ["__op": "Add", "objects": ["b", .date("2026-03-01T12:00:00.000Z")]],
        "ratio": ["__op": "Increment", "amount": 0.5], "details": ["now": "another"],
      ])
    try await app.save(
      "Game", second,
      [
        "score": ["__op": "Increment", "amount": 3],
        "tags": ["__op": "AddUnique", "objects": ["x", "y"]],
        "squad": [
          "__op": "AddRelation",
          "objects": [.pointer("Player", players[0]), .pointer("Player", players[1])],
        ],
      ])
    try await app.save(
      "Game", second,
      [
        "tags": ["__op": "AddUnique", "objects": ["y", "z"]],
        "squad": ["__op": "RemoveRelation", "objects": [.pointer("Player", players[0])]],
      ])
    try await app.save("Game", second, ["tags": ["__op": "Remove", "objects": ["x"]]])
    for field in ["sheet", "place", "home", "isFinal"] {
      try await app.save("Game", first, [field: ["__op": "Delete"]])
    }
    try await agree()
    let row = try device.record("Game", "nearly nothing")
    #expect(row["score"] == 3)
    #expect(row["tags"] == ["y", "z"] || row["tags"] == ["z", "y"])
    let squad = try await app.tell(
      "related", ["className": "Game", "objectId": .string(second), "field": "squad"])
    #expect(squad == [.string(players[1])])
  }

  /// The app reads what the device writes.
  func weEditAndCreate() async throws {
    try device.edit(
      "Game", "everything",
      [
        "score": -7, "ratio": 2.5e-308, "isFinal": false, "playedAt": .null,
        "tags": ["here", .date(Timestamp(milliseconds: 1)), ["deep": .null]],
        "place": .geoPoint(GeoPoint(latitude: -89.5, longitude: 179.25)),
        "area": .polygon([
          GeoPoint(latitude: 1, longitude: 1), GeoPoint(latitude: 1, longitude: 2),
          GeoPoint(latitude: 2, longitude: 2), GeoPoint(latitude: 1, longitude: 1),
        ]),
      ])
    try await device.store.write { db in
      let player = try db.insert("Player", ["name": "made here"])
      try db.insert(
        "Game",
        [
          "title": "made here", "score": 12, "home": .pointer(player),
          "playedAt": .date(Timestamp(milliseconds: -1)), "details": ["by": .pointer(player)],
        ])
    }
    try await agree()
    let seen = try await app.rows(of: "Game")
    let made = try #require(seen[try game("made here")])
    #expect(made["playedAt"] == .date("1969-12-31T23:59:59.999Z"))
    #expect(made["home"] == .pointer("Player", try device.record("Player", "made here").objectID))
    let edited = try #require(seen[try game("everything")])
    #expect(edited["score"] == -7 && edited["playedAt"] == nil)
  }

  /// On PostgreSQL, Parse Server stores bytes with a new record, and refuses changes of them to
  /// both.
  func bytesCannotBeChanged() async throws {
    try device.edit("Game", "everything", ["sheet": .bytes([0, 255])])
    let report = try await device.sync()
    #expect(report.classes["Game"]?.parked == 1)
    let id = try game("everything")
    await #expect(throws: LoopbackError.self) {
      try await app.save("Game", id, ["sheet": ["__type": "Bytes", "base64": "AP8="]])
    }
    try device.edit("Game", "everything", ["sheet": .null])
    try await agree()
  }

  /// Edits of different fields both stay; of the same field, the server's value stays.
  func bothEditOneRecord() async throws {
    let id = try game("large")
    try device.edit("Game", "large", ["title": "larger", "ratio": 4])
    try await app.save(
      "Game", id, ["score": ["__op": "Increment", "amount": 1], "ratio": .number(8)])
    try await agree()
    let row = try device.record("Game", "larger")
    #expect(row["score"] == -9_007_199_254_740_990)
    #expect(row["ratio"] == 8)
  }

  /// The device knows a file that the app uploads, another record can name it, and its bytes stay
  /// the same.
  func filesGoBothWays() async throws {
    let base64 = Data("Anpfiff ⚽️".utf8).base64EncodedString()
    let photo = try await app.tell(
      "upload", ["name": "whistle.txt", "base64": .string(base64), "type": "text/plain"])
    try await app.save("Game", try game("everything"), ["photo": photo])
    try await agree()
    let value = try device.record("Game", "everything")["photo"]
    guard case .file(let file) = value else {
      Issue.record("\(value) is no file.")
      return
    }
    #expect(file.name == photo["name"]?.string)
    try device.edit("Game", "made here", ["photo": value])
    try await agree()
    let copy = try await app.rows(of: "Game")[try game("made here")]?["photo"] ?? .null
    let bytes = try await app.tell("download", ["file": copy])
    #expect(bytes.string == base64)
  }

  /// A record that one side deletes disappears on the other.
  func bothDelete() async throws {
    let players = try await device.store.read { try $0.records(of: "Player") }
    try await app.destroy("Game", try game("nearly nothing"))
    try await app.tell(
      "destroyAll",
      [
        "className": "Player",
        "objectIds": .array(players[10..<13].map { .string($0.objectID) }),
      ])
    let doomed = try device.record("Game", "made here").reference
    try await device.store.write { db in
      try db.delete(doomed)
      try db.delete(players[20].reference)
    }
    try await agree()
    let left = try await app.rows(of: "Player").keys
    #expect(left.count == players.count - 4)
    #expect(!left.contains(players[20].objectID))
    #expect(try await app.rows(of: "Game").count == 3)
  }
}
