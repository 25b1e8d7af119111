// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryPlanning
import FerryStore
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

@testable import FerryEngine

/// Another library's objects in a store, and the syncs that follow.
@Suite(.timeLimit(.minutes(5))) struct ObjectImportTests {
  typealias File = LocalDatastoreFile

  static let schema = Schema {
    Entity("League") { Field("name", .text) }
    Entity("Game") {
      Field("title", .text)
      Field("score", .integer, merge: .increment)
      Field("playedAt", .date)
      Field("league", .pointer(to: "League"))
      Field("tags", .array, merge: .set)
    }
    Entity("Team") {
      Field("name", .text)
      Field("players", .relation(to: "Player"))
    }
    Entity("Player") { Field("name", .text) }
    Entity(membersOf: "players", in: "Team", from: "Player")
  }

  private let world: SyncWorld
  private let folder: TemporaryDirectory

  init() throws {
    world = try SyncWorld()
    folder = try TemporaryDirectory()
  }

  private func device(_ name: String = "a", schema: Schema = schema) throws -> Device {
    try world.device(name, schema: schema)
  }

  private var url: URL { folder.url.appending(path: "ParseOfflineStore") }

  /// Makes a record on the server; returns its fields as the SDK keeps them.
  private func record(
    _ className: String, _ fields: LoopbackValue
  ) throws -> (id: String, fields: [String: Any]) {
    let id = try world.server.create(className, fields)
    let answer = try world.server.send(.get, "/classes/\(className)/\(id)")
    let object = try JSONSerialization.jsonObject(with: Data(answer.text.utf8))
    return (id, try #require(object as? [String: Any]))
  }

  private func importing(_ file: File, into device: Device) async throws -> ObjectImportReport {
    try await device.coordinator.importObjects(from: ParseLocalDatastore(at: file.write(to: url)))
  }

  private func onServer(_ className: String) throws -> [LoopbackValue] {
    let answer = try world.server.send(
      .post, "/classes/\(className)", ["_method": "GET", "order": "createdAt"])
    return answer["results"]?.array ?? []
  }

  private func rows(_ className: String, _ device: Device) async throws -> [Record] {
    try await device.store.read { try $0.records(of: className) }
  }

  /// The rows and the unsent changes of a store.
  private func contents(_ device: Device) async throws -> [String] {
    var lines: [String] = []
    for entity in device.store.schema.entities {
      for row in try await rows(entity.name, device) {
        let values = row.fields.names.map { "\($0) \(row[$0].json)" }
        lines.append("\(row.objectID) \(row.localID) \(values) \(row.acl.json)")
      }
    }
    return lines + (try device.pending().map { "\($0.objectID) \($0.kind) \($0.changed.sorted())" })
  }

  @Test func `records become rows that a sync leaves as they are, and newer ones come`()
    async throws
  {
    let league = try record("League", ["name": "North"])
    let games = try (0..<3).map {
      try record(
        "Game", ["title": .string("g\($0)"), "league": .pointer("League", league.id), "other": 1])
    }
    let file = File()
    try file.pin("League", league.id, league.fields)
    for game in games { try file.pin("Game", game.id, game.fields) }
    try world.server.update("Game", games[1].id, ["title": "newer"])
    try world.server.delete("Game", [games[2].id])
    let device = try device()
    let report = try await importing(file, into: device)
    #expect(report.classes["Game"]?.records == 3 && report.classes["League"]?.records == 1)
    #expect(
      report.leftOut == [
        ObjectLeftOut(
          className: "Game", field: "other", reason: .unknownField, count: 3, example: games[0].id)
      ])
    #expect(try device.pending().isEmpty)
    let before = try await rows("Game", device)
    #expect(before.map { $0["title"] } == ["g0", "g1", "g2"])
    #expect(before.allSatisfy { $0.createdAt != nil && $0.version != nil })
    let sync = try await device.sync(confirming: [])
    #expect(sync.outcome == .complete && sync.classes["Game"]?.created == 0)
    #expect(try await rows("Game", device).map { $0["title"] } == ["g0", "newer"])
    let contents = try await contents(device)
    let second = try await importing(file, into: device)
    #expect(second.isUnchanged && second.classes["Game"]?.present == 2)
    #expect(second.leftOut.contains { $0.reason == .removedHere && $0.example == games[2].id })
    #expect(try await self.contents(device) == contents)
  }

  @Test func `new objects that point to each other are created once`() async throws {
    let file = File()
    let league = File.uuid()
    let game = try file.pin(
      "Game",
      edits: [
        File.edits(
          [
            "title": "Final", "league": File.offline(league),
            "score": ["__op": "Increment", "amount": 3],
            "playedAt": ["__type": "Date", "iso": "2026-01-02T03:04:05.678Z"],
            "ACL": ["*": ["read": true, "write": true]],
          ], isEventual: true), File.edits(["title": "Grand final"]),
      ])
    try file.pin("League", edits: [File.edits(["name": "North"])], uuid: league)
    try file.wait(1, for: File.offline(game))
    let device = try device()
    let first = try await importing(file, into: device)
    #expect(first.classes["Game"]?.inserted == 1 && first.classes["League"]?.inserted == 1)
    #expect(first.leftOut.isEmpty, "\(first.leftOut)")
    let contents = try await contents(device)
    #expect(try await importing(file, into: device).isUnchanged)
    #expect(try await self.contents(device) == contents)
    // Another device with a copy of the file: one record on a server that takes ids of clients, and here, too.
    let sync = try await device.sync()
    #expect(sync.outcome == .complete, "\(sync)")
    #expect(try await importing(file, into: device).isUnchanged)
    try await device.sync()
    let games = try onServer("Game")
    let leagues = try onServer("League")
    #expect(games.count == 1 && leagues.count == 1)
    #expect(games[0]["title"]?.string == "Grand final" && games[0]["score"] == 3)
    #expect(games[0]["playedAt"]?["iso"]?.string == "2026-01-02T03:04:05.678Z")
    #expect(games[0]["league"]?["objectId"] == leagues[0]["objectId"])
    // The create is watched for as long as another device may still send its own.
    #expect(try device.pending().allSatisfy { $0.state == .confirming })
  }

  @Test func `unsent edits of records become edits of the app, once`() async throws {
    let league = try record("League", ["name": "North"])
    let game = try record(
      "Game",
      ["title": "g", "score": 5, "tags": ["a", "b"], "league": .pointer("League", league.id)])
    let gone = try record("Game", ["title": "gone"])
    let file = File()
    try file.pin(
      "Game", game.id, game.fields,
      edits: [
        File.edits(["score": ["__op": "Increment", "amount": 2]], isEventual: true),
        File.edits([
          "title": "mine", "league": ["__op": "Delete"],
          "score": ["__op": "Increment", "amount": 1],
          "tags": [
            "__op": "Batch",
            "ops": [
              ["__op": "AddUnique", "objects": ["b", "c"]], ["__op": "Remove", "objects": ["a"]],
            ],
          ],
        ]),
      ])
    try file.pin("Game", gone.id, gone.fields, deletions: 1)
    try file.wait(2, for: File.pointer("Game", gone.id))
    try file.wait(3, for: nil)
    try world.server.update("Game", game.id, ["score": 10])
    let device = try device()
    let report = try await importing(file, into: device)
    #expect(report.classes["Game"]?.edited == 1 && report.classes["Game"]?.deleted == 1)
    #expect(report.leftOut.map(\.reason) == [.command])
    let pending = try device.pending()
    #expect(pending.map(\.kind).sorted { "\($0)" < "\($1)" } == [.delete, .update])
    #expect(
      pending.first { $0.kind == .update }?.changed.sorted() == [
        "league", "score", "tags", "title",
      ])
    #expect(try await importing(file, into: device).isUnchanged)
    #expect(try await device.sync().outcome == .complete)
    #expect(try await importing(file, into: device).isUnchanged)
    try await device.sync()
    let games = try onServer("Game")
    #expect(games.count == 1)
    #expect(games[0]["title"]?.string == "mine" && games[0]["score"] == 13)
    #expect(games[0]["league"]?["objectId"] == nil)
    #expect(games[0]["tags"] == ["b", "c"])
    #expect(try device.pending().isEmpty)
  }

  @Test func `edits wait for a row, and a later import brings them`() async throws {
    let game = try record("Game", ["title": "g", "score": 5])
    let file = File()
    try file.pin(
      "Game", game.id, ["title": "g"],
      edits: [File.edits(["score": ["__op": "Increment", "amount": 1]])],
      isComplete: false)
    let device = try device()
    let first = try await importing(file, into: device)
    #expect(first.isUnchanged && first.leftOut.map(\.reason) == [.incomplete, .noRow])
    try await device.sync()
    #expect(try await importing(file, into: device).classes["Game"]?.edited == 1)
    #expect(try await rows("Game", device).map { $0["score"] } == [6])
    #expect(try await importing(file, into: device).isUnchanged)
  }

  @Test func `a row with unsent edits of its own stays as it is`() async throws {
    let game = try record("Game", ["title": "g", "score": 5])
    let device = try device()
    try await device.sync()
    let row = try #require(try await rows("Game", device).first)
    try await device.store.write { try $0.update(row.reference, ["title": "here"]) }
    let file = File()
    try file.pin("Game", game.id, game.fields, edits: [File.edits(["title": "there"])])
    let report = try await importing(file, into: device)
    #expect(report.isUnchanged && report.leftOut.map(\.reason) == [.editedHere])
    #expect(try await rows("Game", device).map { $0["title"] } == ["here"])
    try await device.sync()
    #expect(try await importing(file, into: device).classes["Game"]?.edited == 1)
  }

  @Test func `relations of new and of known records are changed`() async throws {
    let (ada, bob) = (try record("Player", ["name": "Ada"]), try record("Player", ["name": "Bob"]))
    let team = try record(
      "Team",
      [
        "name": "North",
        "players": ["__op": "AddRelation", "objects": [.pointer("Player", bob.id)]],
      ])
    let device = try device()
    try await device.sync()
    let file = File()
    let carl = try file.pin("Player", edits: [File.edits(["name": "Carl"])])
    func adding(_ records: [[String: Any]]) -> [String: Any] {
      ["__op": "AddRelation", "objects": records]
    }
    try file.pin(
      "Team", team.id, team.fields,
      edits: [
        File.edits([
          "players": [
            "__op": "Batch",
            "ops": [
              adding([File.pointer("Player", ada.id), File.offline(carl)]),
              ["__op": "RemoveRelation", "objects": [File.pointer("Player", bob.id)]],
            ],
          ]
        ])
      ])
    try file.pin(
      "Team", edits: [File.edits(["name": "South", "players": adding([File.offline(carl)])])])
    let report = try await importing(file, into: device)
    #expect(report.leftOut.isEmpty, "\(report.leftOut)")
    #expect(report.classes["Team"]?.edited == 2 && report.classes["Team"]?.inserted == 1)
    #expect(try await importing(file, into: device).isUnchanged)
    #expect(try await device.sync().outcome == .complete)
    func members(_ name: String) throws -> [String?] {
      let team = try #require(try onServer("Team").first { $0["name"]?.string == name })
      let answer = try world.server.send(
        .post, "/classes/Player",
        [
          "_method": "GET", "order": "name",
          "where": [
            "$relatedTo": [
              "object": .pointer("Team", try #require(team["objectId"]?.string)), "key": "players",
            ]
          ],
        ])
      return answer["results"]?.array?.map { $0["name"]?.string } ?? []
    }
    #expect(try members("North") == ["Ada", "Carl"])
    #expect(try members("South") == ["Carl"])
    #expect(try await importing(file, into: device).isUnchanged)
  }
}
