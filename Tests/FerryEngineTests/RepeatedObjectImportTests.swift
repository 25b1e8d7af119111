// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

@testable import FerryEngine

/// Imports that stop, or come more than once: on one device, and on several ones.
@Suite(.timeLimit(.minutes(5))) struct RepeatedObjectImportTests {
  typealias File = LocalDatastoreFile

  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  private func source(_ file: File) throws -> ParseLocalDatastore {
    ParseLocalDatastore(at: try file.write(to: folder.url.appending(path: "ParseOfflineStore")))
  }

  @Test(arguments: [true, false])
  func `a sync after an import that stopped sends no pointer to a row that has not come`(
    _ takesIDs: Bool
  ) async throws {
    let world = try SyncWorld(.double, TestServerOptions(allowsCustomIDs: takesIDs))
    let device = try world.device(schema: ObjectImportTests.schema)
    let (file, league) = (File(), File.uuid())
    for number in 0..<9 {
      try file.pin(
        "Game", edits: [File.edits(["title": "\(number)", "league": File.offline(league)])])
    }
    try file.pin("League", edits: [File.edits(["name": "North"])], uuid: league)
    let source = try source(file)
    await #expect(throws: SyncError.self) {
      try await device.coordinator.importObjects(
        from: FailingSource(inner: source, failing: 2, objectsPerPage: 2))
    }
    #expect(try await device.store.read { try $0.count(of: "Game") } == 4)
    #expect(try await device.sync().outcome == .complete)
    let report = try await device.coordinator.importObjects(from: source)
    #expect(report.leftOut.isEmpty, "\(report.leftOut)")
    #expect(try await device.sync().outcome == .complete)
    #expect(try await device.coordinator.importObjects(from: source).isUnchanged)
    let leagues = try world.server.send(.post, "/classes/League", ["_method": "GET"])
    let games = try world.server.send(.post, "/classes/Game", ["_method": "GET"])
    let id = try #require(leagues["results"]?.array?.first?["objectId"])
    #expect(games["results"]?.array?.count == 9)
    #expect(games["results"]?.array?.allSatisfy { $0["league"]?["objectId"] == id } == true)
  }

  @Test(arguments: [true, false])
  func `the number of a new object counts once on all devices with the file`(
    _ takesIDs: Bool
  ) async throws {
    let world = try SyncWorld(.double, TestServerOptions(allowsCustomIDs: takesIDs))
    let file = File()
    try file.pin("Game", edits: [File.edits(["score": ["__op": "Increment", "amount": 3]])])
    let source = try source(file)
    for (name, score) in [("a", 3), ("b", 5), ("c", 5)] as [(String, Int64)] {
      let device = try world.device(name, schema: ObjectImportTests.schema)
      _ = try await device.coordinator.importObjects(from: source)
      try await device.sync()
      try await device.sync()
      let games = try await device.store.read { try $0.records(of: "Game") }
      #expect(games.map { $0["score"] } == [.integer(name == "a" ? 3 : score)])
      guard name == "a" else { continue }
      try await device.store.write { try $0.update(games[0].reference, ["score": 5]) }
      try await device.sync()
    }
    let answer = try world.server.send(.post, "/classes/Game", ["_method": "GET"])
    #expect(answer["results"]?.array?.map { $0["score"] } == [5])
  }

  @Test func `of a field with one edit that does not fit, none is carried out`() async throws {
    let world = try SyncWorld()
    let device = try world.device(schema: ObjectImportTests.schema)
    let file = File()
    let record: [String: Any] = [
      "createdAt": "2026-01-01T00:00:00.000Z", "updatedAt": "2026-01-02T00:00:00.000Z",
      "score": 5, "tags": ["a"],
    ]
    try file.pin(
      "Game", "g1", record,
      edits: [
        File.edits(["score": ["__op": "Increment", "amount": 1]]),
        File.edits(["score": ["__op": "Increment", "amount": 0.5]]),
        File.edits(["tags": ["__op": "Add", "objects": ["b"]]]),
        File.edits(["tags": ["__op": "Add", "objects": [File.offline(File.uuid())]]]),
        File.edits(["title": "Final"]),
      ])
    let source = try source(file)
    for _ in 0..<3 {
      let report = try await device.coordinator.importObjects(from: source)
      #expect(Set(report.leftOut.map(\.field)) == ["score", "tags"])
      let games = try await device.store.read { try $0.records(of: "Game") }
      #expect(games.map { $0["score"] } == [5] && games.map { $0["tags"] } == [["a"]])
      #expect(games.map { $0["title"] } == ["Final"])
    }
  }

  @Test func `a record of an export brings no edits, whatever its fields are called`() async throws
  {
    let world = try SyncWorld()
    let device = try world.device(schema: ObjectImportTests.schema)
    let url = folder.url.appending(path: "Game.json")
    try Data(
      """
      {"results":[{"objectId":"g1","createdAt":"2026-01-01T00:00:00.000Z",
      "updatedAt":"2026-01-02T00:00:00.000Z","title":"Final","isDeletingEventually":true,
      "__operations":[{"title":"Other"}],"__complete":false}]}
      """.utf8
    ).write(to: url)
    let report = try await device.coordinator.importObjects(from: JSONExport(files: [url]))
    #expect(report.classes["Game"]?.records == 1)
    #expect(
      Set(report.leftOut.map(\.field)) == ["isDeletingEventually", "__operations", "__complete"])
    #expect(
      try await device.store.read { try $0.records(of: "Game").map { $0["title"] } } == ["Final"])
    #expect(try device.pending().isEmpty)
  }
}
