// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

/// The memory of the tool while a server sends too much.
@Suite(.serialized, .timeLimit(.minutes(5))) struct EvilServerMemoryTests {
  /// The most that a sync may hold above an ordinary sync, in megabytes.
  private static let ceiling = 64

  /// The behaviours that send or unpack to much.
  private static let names = [
    "sends a body without end", "sends an announced body without end", "sends chunks without end",
    "packs zeros without end with gzip", "packs zeros without end with deflate",
    "packs a gigabyte with brotli", "packs a gigabyte with zstd", "packs a gigabyte three times",
    "sends headers without end", "sends one header line without end", "opens a million lists",
    "sends numbers of 100,000 digits", "sends 100,000 members", "sends a text of 8 MB",
    "sends a row with an id of a megabyte",
    "sends a row of 20,000 fields", "sends tags of 8 MB", "sends new rows without an end",
    "sends more rows than were asked for", "answers with a field of a megabyte",
  ]

  private static let cases = EvilBehaviour.all.filter { names.contains($0.name) }

  /// At a page, only what no other exchange has: an answer of the greatest size takes each class there
  /// ten attempts with ever fewer rows.
  private static func cases(at exchange: EvilExchange) -> [EvilBehaviour] {
    cases.filter {
      $0.exchanges.contains(exchange) && (exchange != .page || !$0.exchanges.contains(.user))
    }
  }

  @Test func `each behaviour that is measured exists`() {
    #expect(Set(Self.cases.map(\.name)) == Set(Self.names))
  }

  @Test(arguments: [EvilExchange.user, .batchOfWrites, .page])
  func `a sync stays within its memory, whatever a server sends`(
    exchange: EvilExchange
  ) async throws {
    let ordinary = try await peak(nil, at: exchange)
    try await withThrowingTaskGroup { group in
      for behaviour in Self.cases(at: exchange) {
        group.addTask {
          guard let ordinary, let most = try await peak(behaviour, at: exchange) else { return }
          let comment: Comment =
            "\(behaviour.name), at \(exchange): \(most) MB, \(ordinary) MB before"
          #expect(most - ordinary < Self.ceiling, comment)
        }
      }
      try await group.waitForAll()
    }
  }

  /// The most memory of a sync that asks for, looks up and sends something, in megabytes.
  private func peak(_ behaviour: EvilBehaviour?, at exchange: EvilExchange) async throws -> Int? {
    let server = try EvilServer()
    let folder = try ToolWorld()
    try server.withBackend { backend throws(LoopbackError) in
      for number in 0..<20 { try backend.create("Game", ["title": .string("g\(number)")]) }
    }
    let token = server.withBackend { backend in
      backend.answer(
        LoopbackRequest(
          "POST", "/parse/users", headers: ["X-Parse-Application-Id": "app1"],
          json: ["username": "ann", "password": "secret"])
      ).json?["sessionToken"]?.string ?? ""
    }
    try folder.folder.write(token, to: "token")
    try folder.configure(
      server: server.url.absoluteString,
      extra: #""sessionTokenFile": "token","#)
    #expect(try await folder.ferry("sync").code == 0)
    try await folder.store().write { db in
      for row in try db.records(of: "Game").prefix(2) { try db.update(row.reference, ["score": 1]) }
      for number in 0..<3 { try db.insert("Game", ["title": .string("n\(number)")]) }
    }
    try server.withBackend { backend throws(LoopbackError) in
      if let id = backend.objects(of: "Game").last?["objectId"]?.string {
        try backend.delete("Game", id)
      }
    }
    server.play(behaviour, at: exchange)
    let result = try await folder.ferry("sync", "--timeout", "1")
    #expect(result.code >= 0, "\(behaviour?.name ?? ""), at \(exchange): \(result.errors)")
    return result.peakMemory
  }
}
