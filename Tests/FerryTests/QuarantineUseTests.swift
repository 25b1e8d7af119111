// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// An app shows the records that a sync could not import, and tries them again, with the public interface alone.
@Suite(.timeLimit(.minutes(1))) struct QuarantineUseTests {
  private let folder: TemporaryDirectory
  private let server: LoopbackServer
  private let parse: ParseServer
  private let masterKey: String
  private let schema = Schema {
    Entity("Game") {
      Field("title", .text)
      Field("note", .text)
    }
  }

  init() throws {
    var configuration = LoopbackConfiguration()
    configuration.applicationId = "demo"
    server = try LoopbackServer(configuration)
    folder = try TemporaryDirectory()
    masterKey = configuration.masterKey
    parse = ParseServer(
      url: try #require(URL(string: server.url)), applicationID: "demo",
      key: .master(configuration.masterKey))
  }

  private func sync(_ store: any Store) async throws -> SyncReport {
    var options = SyncOptions()
    // A listing that goes back, or a comparison record by record, would show the record once more.
    options.overlap = .zero
    options.dailyScanShare = 0
    let coordinator = SyncCoordinator(
      store: store, server: parse, staging: folder.url.appending(path: "staging"),
      options: options)
    return try await coordinator.startSync().report
  }

  /// The owner of the server drops a field, which gives no record a newer version.
  private func dropNote() async throws {
    let url = try #require(URL(string: "\(server.url)/schemas/Game"))
    var request = URLRequest(url: url)
    request.httpMethod = "PUT"
    request.httpBody = Data(
      #"{"className":"Game","fields":{"note":{"__op":"Delete"}}}"#.utf8)
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.setValue("demo", forHTTPHeaderField: "X-Parse-Application-Id")
    request.setValue(masterKey, forHTTPHeaderField: "X-Parse-Master-Key")
    let (_, response) = try await URLSession.shared.data(for: request)
    #expect((response as? HTTPURLResponse)?.statusCode == 200)
  }

  @Test(arguments: [true, false])
  func `an app shows a refused record and lets the next sync fetch it again`(
    inMemory: Bool
  ) async throws {
    let store: any Store =
      inMemory
      ? try InMemoryStore(schema: schema)
      : try SQLiteStore(at: folder.url.appending(path: "games.sqlite"), schema: schema)
    let id = try server.withBackend { backend throws(LoopbackError) in
      try backend.create("Game", ["title": "Final", "note": 5])
    }
    // The listing after next begins at a whole second before this one.
    try await Task.sleep(for: .seconds(3))
    _ = try server.withBackend { backend throws(LoopbackError) in
      try backend.create("Game", ["title": "Semi"])
    }
    #expect(try await sync(store).remaining["Game"]?.quarantined == 1)
    let record = try #require(
      try await store.read { try $0.quarantinedRecord(of: "Game", objectID: id) })
    #expect(record.raw.contains(#""note":5"#) && record.reason.contains("note"))
    #expect(try await store.read { try $0.quarantinedRecord(of: "Game", objectID: "x") } == nil)
    #expect(try await store.read { try $0.quarantinedRecord(of: "League", objectID: id) } == nil)
    try await dropNote()
    // The record has no newer version, so that no sync looks at it.
    #expect(try await sync(store).remaining["Game"]?.quarantined == 1)
    #expect(try await !store.retryQuarantined(of: "Game", objectID: "x"))
    #expect(try await !store.retryQuarantined(of: "League", objectID: id))
    #expect(try await store.retryQuarantined(of: "League") == 0)
    #expect(try await store.retryQuarantined(of: "Game", objectID: id))
    // It is asked for already.
    #expect(try await !store.retryQuarantined(of: "Game", objectID: id))
    #expect(try await store.retryQuarantined() == 0)
    #expect(try await store.read { try $0.quarantine(of: "Game") }.map(\.reason) == [record.reason])
    let report = try await sync(store)
    #expect(report.outcome == .complete && report.classes["Game"]?.imported == 1)
    #expect(try await store.read { try $0.count(of: "Game") } == 2)
    #expect(try await store.read { try $0.quarantine(of: nil) }.isEmpty)
  }

  @Test(arguments: [true, false])
  func `a record that still cannot be read stays, and one that is gone leaves`(
    inMemory: Bool
  ) async throws {
    let store: any Store =
      inMemory
      ? try InMemoryStore(schema: schema)
      : try SQLiteStore(at: folder.url.appending(path: "games.sqlite"), schema: schema)
    let ids = try server.withBackend { backend throws(LoopbackError) in
      [
        try backend.create("Game", ["title": "Final", "note": 5]),
        try backend.create("Game", ["title": "Semi", "note": 6]),
      ]
    }
    _ = try await sync(store)
    #expect(try await store.retryQuarantined(of: "Game") == 2)
    try server.withBackend { backend throws(LoopbackError) in try backend.delete("Game", ids[1]) }
    #expect(try await sync(store).remaining["Game"]?.quarantined == 1)
    #expect(try await store.read { try $0.quarantine(of: nil) }.map(\.objectID) == [ids[0]])
    // The next sync would not try it by itself, so that a retry is worth something again.
    #expect(try await store.retryQuarantined() == 1)
  }
}
