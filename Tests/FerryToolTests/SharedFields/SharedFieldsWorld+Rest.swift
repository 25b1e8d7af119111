// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryTestSupport
import Foundation
import LoopbackParse
import Synchronization
import Testing

// The network is sound again, and all agree.
extension SharedFieldsWorld {
  /// Everybody syncs until nothing is left; hours pass, so that no request can still arrive.
  func comeToRest() async throws {
    state.withLock { $0.isCalm = true }
    try await settleLateRequests()
    for _ in 0..<8 {
      for name in Self.devices {
        let store = try store(name)
        try decide(on: name, store)
        state.withLock { $0.ahead += 1000 }
        let ahead = state.withLock(\.ahead)
        let environment = SyncEnvironment(
          now: { Timestamp(Date(timeIntervalSinceNow: ahead)) },
          uptime: { SyncEnvironment.live.uptime() + ahead }, random: SyncEnvironment.live.random)
        let (url, staging) = (try address(of: name), try folder(name).url)
        let device = Device(
          store: store, staging: staging.appending(path: "staging"),
          server: ParseServer(url: url, applicationID: "app1"), environment: environment)
        let report = try await device.sync()
        note("\(name) rests: \(report.outcome) \(report.notices.map(\.message))")
      }
    }
  }

  private func address(of name: String) throws -> URL {
    let json = try Data(contentsOf: folder(name).url.appending(path: "ferry.json"))
    return try SyncConfiguration(json: json).server
  }

  /// The app says what became of additions that nobody can find out about.
  private func decide(on name: String, _ store: SQLiteStore) throws {
    for change in try store.inspect({ try $0.pendingChanges() }) where change.state == .parked {
      let fate = state.withLock { $0.fates["\(name) \(change.objectID ?? "")"] }
      let isDecided = try store.decideIncrements(
        of: change.className, localID: change.localID, counted: fate ?? false)
      #expect(isDecided, "\(change.className) \(change.reason ?? "")")
      note("\(name) decides \(change.objectID ?? ""): \(fate as Any)")
    }
  }

  /// Everybody has what everybody wrote, once.
  func check() async throws {
    let expected = state.withLock(\.boards)
    let (served, photos) = try await boardsOfClient()
    let log = Comment(rawValue: state.withLock(\.log).joined(separator: "\n"))
    #expect(served == expected, log)
    #expect(Set(photos).count == photos.count, "A file is referenced twice. \(log)")
    for name in Self.devices {
      let store = try store(name)
      let left = try await store.inspect { try $0.pendingChanges() }
      #expect(left.isEmpty, "\(name) \(left)")
      #expect(try boards(of: name, store) == expected, "\(name)")
      try await checkFiles(of: name, store)
    }
  }

  /// The boards as the other client sees them, and the names of their files.
  private func boardsOfClient() async throws -> ([String: Board], photos: [String]) {
    let names = try await client.rows(of: "Player").mapValues { $0["name"]?.string ?? "" }
    var boards: [String: Board] = [:]
    var photos: [String] = []
    for (id, row) in try await client.rows(of: "Board") {
      let title = row["title"]?.string ?? ""
      #expect(boards[title] == nil, "\(title) is there twice")
      let members = try await client.tell(
        "related", ["className": "Board", "objectId": .string(id), "field": "players"])
      let tags = row["tags"]?.array?.compactMap(\.string) ?? []
      #expect(Set(tags).count == tags.count, "\(title) has a tag twice")
      var board = Board(
        count: Int64(row["count"]?.number ?? -1), tags: Set(tags),
        players: Set(members.array?.compactMap { names[$0.string ?? ""] } ?? []))
      if let photo = row["photo"], photo != .null {
        photos.append(photo["name"]?.string ?? "")
        let base64 = try await client.tell("download", ["file": photo]).string ?? ""
        board.photo = Data(base64Encoded: base64).map { String(decoding: $0, as: UTF8.self) }
      }
      boards[title] = board
    }
    return (boards, photos)
  }

  /// The boards as a device has them; the content of their files is the server's.
  private func boards(of name: String, _ store: SQLiteStore) throws -> [String: Board] {
    let expected = state.withLock(\.boards)
    return try store.read { db in
      var boards: [String: Board] = [:]
      for row in try db.records(Query("Board")) {
        let title = row["title"].text ?? ""
        var board = Board(count: -1)
        if case .integer(let count) = row["count"] { board.count = count }
        if case .array(let tags) = row["tags"] { board.tags = Set(tags.compactMap(\.text)) }
        let members = try db.records(db.query(membersOf: row.reference, "players"))
        board.players = Set(members.compactMap { $0["name"].text })
        board.photo = row["photo"].isNull ? nil : expected[title]?.photo
        boards[title] = board
      }
      return boards
    }
  }

  /// The contents of the files, as `ferry files get` fetches them.
  private func checkFiles(of name: String, _ store: SQLiteStore) async throws {
    let expected = state.withLock(\.boards)
    for row in try await store.read({ try $0.records(Query("Board")) })
    where !row["photo"].isNull {
      let got = try await ferry(
        name, "files", "get", "--class", "Board", "--id", "\(row.localID.rawValue)")
      let path = got.output.trimmingCharacters(in: .whitespacesAndNewlines)
      let content = FileManager.default.contents(atPath: path)
      let text = content.map { String(decoding: $0, as: UTF8.self) }
      #expect(text == expected[row["title"].text ?? ""]?.photo, "\(name) \(got.errors)")
    }
  }
}
