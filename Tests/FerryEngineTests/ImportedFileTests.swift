// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryStore
import FerryTestSupport
import Foundation
import LoopbackParse
import Randomness
import Testing

@testable import FerryEngine

/// Files with faults, exports, plans and interruptions of an import.
@Suite(.timeLimit(.minutes(5))) struct ImportedFileTests {
  typealias File = LocalDatastoreFile

  private let world: SyncWorld
  private let folder: TemporaryDirectory
  private let device: Device

  init() throws {
    world = try SyncWorld()
    folder = try TemporaryDirectory()
    device = try world.device(schema: ObjectImportTests.schema)
  }

  private static let stamps = [
    "createdAt": "2026-01-01T00:00:00.000Z", "updatedAt": "2026-01-02T00:00:00.000Z",
  ]

  private func record(_ fields: [String: Any]) -> [String: Any] {
    (Self.stamps as [String: Any]).merging(fields) { _, new in new }
  }

  private var url: URL { folder.url.appending(path: "ParseOfflineStore") }

  private func write(_ text: String, to name: String) throws -> URL {
    let url = folder.url.appending(path: name)
    try Data(text.utf8).write(to: url)
    return url
  }

  private func count(_ className: String) async throws -> Int {
    try await device.store.read { try $0.count(of: className) }
  }

  private func error(_ source: some ObjectSource) async -> SyncError? {
    do throws(SyncError) {
      _ = try await device.coordinator.importObjects(from: source)
      return nil
    } catch {
      return error
    }
  }

  @Test func `what does not fit is left out with its reason, and the rest comes`() async throws {
    let file = File()
    try file.pin("Game", "a", record(["title": "fits", "secret": 1]))
    try file.pin("Game", "b", record(["title": 3]))
    try file.pin("Game", "c", ["title": "no stamps"])
    file.pin("Game", "d", text: "{\"title\":")
    file.pin("Game", nil, text: "[1]")
    try file.pin("Secret", "e", record(["x": 1]))
    try file.pin("Game", edits: [File.edits(["title": "x"])], deletions: 1)
    let lost = file.placeholder("League")
    try file.pin(
      "Game", edits: [File.edits(["title": "new", "league": File.offline(lost), "score": "three"])])
    let url = try file.write(to: url)
    let bytes = try Data(contentsOf: url)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path())
    let report = try await device.coordinator.importObjects(from: ParseLocalDatastore(at: url))
    #expect(report.classes["Game"]?.records == 1 && report.classes["Game"]?.inserted == 1)
    let reasons = report.leftOut.map {
      "\($0.className) \($0.field ?? "") \($0.reason.rawValue) \($0.count)"
    }
    #expect(
      reasons.sorted() == [
        "Game  never-saved 1", "Game  unreadable 2", "Game  wrong-type 2",
        "Game league unresolved-pointer 1", "Game score wrong-type 1",
        "Game secret unknown-field 1",
        "League  incomplete 1", "Secret  unknown-class 1",
      ])
    #expect(try await count("Game") == 2)
    // The source is as it was, and nothing lies beside it.
    #expect(try Data(contentsOf: url) == bytes)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path()) == names)
  }

  @Test func `a plan of an import changes nothing`() async throws {
    let file = File()
    try file.pin("Game", "a", record(["title": "a"]), edits: [File.edits(["title": "b"])])
    try file.pin("Game", edits: [File.edits(["title": "new"])])
    let source = ParseLocalDatastore(at: try file.write(to: url))
    let planned = try await device.coordinator.planImport(of: source)
    #expect(planned.classes["Game"]?.inserted == 1 && planned.classes["Game"]?.edited == 1)
    #expect(try await count("Game") == 0)
    #expect(try device.pending().isEmpty)
    #expect(try await device.coordinator.importObjects(from: source) == planned)
    #expect(try await device.coordinator.planImport(of: source).isUnchanged)
  }

  @Test func `exports of each form are imported`() async throws {
    let ids = try world.server.create("Game", (0..<3).map { ["title": .string("g\($0)")] })
    let league = try world.server.create("League", ["name": "North"])
    func export(_ className: String) throws -> String {
      try world.server.send(.post, "/classes/\(className)", ["_method": "GET"]).text
    }
    let games = try write(export("Game"), to: "Game.json")
    let list = try world.server.send(.post, "/classes/League", ["_method": "GET"])["results"]
    let both = try write(
      "{\"League\":\(try #require(list).text),\"Other\":[{\"objectId\":\"x\"}]}", to: "all.json")
    let source = JSONExport(files: [games, both])
    let report = try await device.coordinator.importObjects(from: source)
    #expect(report.classes["Game"]?.records == 3 && report.classes["League"]?.records == 1)
    #expect(report.leftOut.map(\.reason) == [.unknownClass])
    #expect(try await device.coordinator.importObjects(from: source).isUnchanged)
    #expect(try device.pending().isEmpty)
    #expect(try await device.sync().outcome == .complete)
    let rows = try await device.store.read { try $0.records(of: "Game").map(\.objectID) }
    #expect(Set(rows) == Set(ids))
    #expect(try await device.store.read { try $0.record(of: "League", objectID: league) } != nil)
  }

  @Test func `many objects come in several pages`() async throws {
    let file = File()
    for number in 0..<1203 {
      if number.isMultiple(of: 3) {
        try file.pin("Game", edits: [File.edits(["title": "new", "score": number])])
      } else {
        try file.pin(
          "Game", "id\(number)", record(["title": "old"]),
          edits: [File.edits(["score": ["__op": "Increment", "amount": number]])])
      }
    }
    let source = ParseLocalDatastore(at: try file.write(to: url))
    let report = try await device.coordinator.importObjects(from: source)
    #expect(report.classes["Game"]?.inserted == 401 && report.classes["Game"]?.records == 802)
    #expect(report.classes["Game"]?.edited == 802 && report.leftOut.isEmpty)
    let sum = try await device.store.read { try $0.records(of: "Game") }
      .reduce(0) { $0 + ($1["score"].double ?? 0) }
    #expect(sum == Double(1202 * 1203 / 2))
    #expect(try await device.coordinator.importObjects(from: source).isUnchanged)
  }

  @Test(arguments: [2, 4]) func `an import that ended early is repeated`(_ failing: Int)
    async throws
  {
    let file = File()
    for number in 0..<30 {
      let edit = File.edits(["score": ["__op": "Increment", "amount": 1]])
      if number.isMultiple(of: 2) {
        try file.pin("Game", edits: [edit])
      } else {
        try file.pin("Game", "id\(number)", record(["score": 10]), edits: [edit])
      }
    }
    let source = ParseLocalDatastore(at: try file.write(to: url))
    #expect(
      await error(FailingSource(inner: source, failing: failing, objectsPerPage: 7))?.code
        == .localStorage)
    let part = try await count("Game")
    #expect(failing == 2 ? part == 14 : part == 30)
    _ = try await device.coordinator.importObjects(from: source)
    let scores = try await device.store.read { try $0.records(of: "Game").map { $0["score"] } }
    #expect(scores.filter { $0 == 1 }.count == 15 && scores.filter { $0 == 11 }.count == 15)
    #expect(try await device.coordinator.importObjects(from: source).isUnchanged)
    #expect(try device.pending().count == 30)
  }

  @Test func `a store in memory takes the same`() async throws {
    let file = File()
    try file.pin("Game", "a", record(["title": "a"]), edits: [File.edits(["title": "b"])])
    try file.pin("Game", edits: [File.edits(["title": "new"])])
    let source = ParseLocalDatastore(at: try file.write(to: url))
    let store = try InMemoryStore(schema: ObjectImportTests.schema)
    let coordinator = SyncCoordinator(
      store: store, server: world.server.known(), staging: folder.url.appending(path: "staging"),
      transport: world.network)
    let report = try await coordinator.importObjects(from: source)
    #expect(try await device.coordinator.importObjects(from: source) == report)
    #expect(try await coordinator.importObjects(from: source).isUnchanged)
    #expect(try await coordinator.sync().classes["Game"]?.created == 1)
  }

  /// Two devices with copies of one file: the server gets each new object once, by the id that both make of its key.
  @Test(arguments: [true, false])
  func `two devices with one file make one record`(_ takesIDs: Bool) async throws {
    let world = try SyncWorld(.double, TestServerOptions(allowsCustomIDs: takesIDs))
    let file = File()
    try file.pin("League", edits: [File.edits(["name": "North"])])
    let source = ParseLocalDatastore(at: try file.write(to: url))
    for name in ["a", "b"] {
      let device = try world.device(name, schema: ObjectImportTests.schema)
      _ = try await device.coordinator.importObjects(from: source)
      #expect(try await device.sync().outcome == .complete)
      #expect(try await device.coordinator.importObjects(from: source).isUnchanged)
    }
    let answer = try world.server.send(.post, "/classes/League", ["_method": "GET"])
    #expect(answer["results"]?.array?.count == 1)
  }

  @Test func `a filter keeps records out, and takes in what the app made`() async throws {
    let schema = Schema(
      ObjectImportTests.schema.entities.map { entity in
        entity.name == "Game" ? entity.filter(.field("score", .greaterThan, 5)) : entity
      })
    let device = try world.device("filtered", schema: schema)
    let file = File()
    try file.pin("Game", "in", record(["score": 9]))
    try file.pin("Game", "out", record(["score": 1]))
    try file.pin("Game", edits: [File.edits(["score": 2])])
    let source = ParseLocalDatastore(at: try file.write(to: url))
    let report = try await device.coordinator.importObjects(from: source)
    #expect(report.classes["Game"]?.records == 1 && report.classes["Game"]?.inserted == 1)
    #expect(report.leftOut.map(\.reason) == [.refused] && report.leftOut.first?.example == "out")
    let scores = try await device.store.read { try $0.records(of: "Game").map { $0["score"] } }
    #expect(Set(scores.map(\.json)) == ["9", "2"])
  }

  @Test func `files of another kind are refused before anything is imported`() async throws {
    let missing = await error(ParseLocalDatastore(at: folder.url.appending(path: "none")))
    #expect(missing?.code == .localStorage)
    #expect((missing?.cause as? ObjectSourceError)?.code == .notAccessible)
    let text = try write("no database, but a text that is long enough", to: "text")
    #expect(await error(ParseLocalDatastore(at: text))?.code == .malformedData)
    let empty = try write("", to: "empty")
    #expect(
      (await error(ParseLocalDatastore(at: empty))?.cause as? ObjectSourceError)?.code == .otherKind
    )
    #expect(await error(ParseLocalDatastore(at: folder.url))?.code == .localStorage)
    for (number, text) in ["", "{}", "[1]", "{\"results\":[{\"objectId\":\"a\"}"].enumerated() {
      let json = JSONExport(files: [try write(text, to: "Game\(number).json")])
      #expect(await error(json)?.code == .malformedData)
    }
    #expect(try await count("Game") == 0)
  }

  /// 200 copies of a file, each cut or with some bytes changed: a typed error, or an import that does no harm.
  @Test(.timeLimit(.minutes(10))) func `damaged copies do no harm`() async throws {
    let file = File()
    for number in 0..<40 {
      try file.pin(
        "Game", number.isMultiple(of: 2) ? "id\(number)" : nil,
        number.isMultiple(of: 2) ? record(["title": "t\(number)", "tags": ["a", "b"]]) : [:],
        edits: [File.edits(["score": ["__op": "Increment", "amount": 1], "tags": ["x"]])])
    }
    let original = try Data(contentsOf: file.write(to: url))
    var random = SeededGenerator(seed: 57)
    var (errors, imports) = (0, 0)
    for copy in 0..<200 {
      var bytes = original
      if copy.isMultiple(of: 4) {
        bytes = bytes.prefix(Int.random(in: 0..<bytes.count, using: &random))
      } else {
        for _ in 0..<Int.random(in: 1...20, using: &random) {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
            in: 0...255, using: &random)
        }
      }
      let damaged = folder.url.appending(path: "damaged")
      try bytes.write(to: damaged)
      let device = try world.device("d\(copy)", schema: ObjectImportTests.schema)
      let source = ParseLocalDatastore(at: damaged)
      do throws(SyncError) {
        let report = try await device.coordinator.importObjects(from: source)
        imports += 1
        #expect((report.classes["Game"]?.records ?? 0) <= 40)
        #expect(try await device.coordinator.importObjects(from: source).isUnchanged)
      } catch {
        errors += 1
        #expect(error.cause is ObjectSourceError, "\(error)")
      }
      #expect((try? Data(contentsOf: damaged)) == bytes)
      #expect(throws: Never.self) { try device.store.checkFile() }
    }
    #expect(errors > 50 && imports > 10, "\(errors) \(imports)")
  }
}
