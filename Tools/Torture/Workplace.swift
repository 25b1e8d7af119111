// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation
import LoopbackParse

/// A folder in which the tool `ferry`, the `sqlite3` shell and this process work on one store, and its server.
final class Workplace: Sendable {
  /// The values of a Game, without its ids.
  struct Row: Hashable, Comparable, CustomStringConvertible {
    var title: String
    var score: String
    var note: String
    /// The title of the row to which it points.
    var home: String

    var description: String { [title, score, note, home].joined(separator: "|") }

    static func < (left: Row, right: Row) -> Bool { left.description < right.description }
  }

  let folder: URL
  let server: LoopbackServer
  private let tool: URL
  private let shell = URL(filePath: "/usr/bin/sqlite3")

  /// Makes the folder.
  init(at folder: URL, tool: URL, allowsChosenIDs: Bool) throws {
    self.folder = folder
    self.tool = tool
    var configuration = LoopbackConfiguration()
    configuration.allowCustomObjectId = allowsChosenIDs
    server = try LoopbackServer(configuration)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(PlayedClasses.configuration(server: server.url).utf8)
      .write(to: folder.appending(path: "ferry.json"))
  }

  deinit { server.stop() }

  // MARK: Programs

  /// Starts the tool `ferry`.
  func start(_ arguments: [String]) throws -> RunningProgram {
    try RunningProgram(tool, arguments, in: folder)
  }

  /// Starts the `sqlite3` shell, which waits up to five seconds for other writers.
  func startShell(_ statements: String, stopsAtErrors: Bool = true) throws -> RunningProgram {
    try RunningProgram(
      shell, ["-batch"] + (stopsAtErrors ? ["-bail"] : []) + ["store.sqlite"], in: folder,
      input: ".timeout 5000\n\(statements)\n")
  }

  // MARK: The engine in this process

  func openStore() throws(StoreError) -> SQLiteStore {
    try SQLiteStore(at: folder.appending(path: "store.sqlite"), schema: PlayedClasses.schema)
  }

  /// A coordinator that lets all removals pass and knows that no request is under way any more.
  func coordinator(_ store: SQLiteStore) throws -> SyncCoordinator {
    guard let address = URL(string: server.url) else { throw URLError(.badURL) }
    var options = SyncOptions()
    options.maximumRequestDuration = .zero
    options.removalLimit = RemovalLimit(share: 1, count: .max, allowsEmptying: true)
    return SyncCoordinator(
      store: store, server: ParseServer(url: address, applicationID: "app1"),
      staging: folder.appending(path: "staging"), options: options)
  }

  /// Syncs while nothing else runs; says what is left after three syncs.
  func settle() async throws -> String? {
    _ = server.waitForConnections(atMost: 0)
    let store = try openStore()
    let coordinator = try coordinator(store)
    var report = SyncReport?.none
    for _ in 1...3 { report = try await coordinator.startSync().report }
    guard let report, report.outcome != .complete else { return nil }
    let changes = try await store.inspect { inspection in
      try inspection.pendingChanges().prefix(3).map { "\($0)" }
    }
    return "left: \(report.remaining) \(report.notices.map(\.message)) \(changes)"
  }

  // MARK: Both sides

  /// The rows of the store, read by the `sqlite3` shell.
  func localRows() throws -> [Row] {
    let rows = try query(
      """
      SELECT ifnull(g.title, ''), ifnull(g.score, ''), ifnull(g.note, ''),
        ifnull((SELECT title FROM Team WHERE objectId = g.home), '') FROM Game g
      """)
    return rows.filter { $0.count == 4 }.map {
      Row(title: $0[0], score: Self.number($0[1]), note: $0[2], home: $0[3])
    }.sorted()
  }

  /// The rows of the server.
  func remoteRows() -> [Row] {
    let backend = server.backend
    let teams = Dictionary(
      backend.objects(of: "Team").map { ($0["objectId"]?.string ?? "", $0["title"]?.string ?? "") },
      uniquingKeysWith: { $1 })
    return backend.objects(of: "Game").map { game in
      Row(
        title: game["title"]?.string ?? "",
        score: game["score"]?.number.map { "\($0)" } ?? "", note: game["note"]?.string ?? "",
        home: game["home"]?["objectId"]?.string.flatMap { teams[$0] } ?? "")
    }.sorted()
  }

  private static func number(_ text: String) -> String { Double(text).map { "\($0)" } ?? text }

  /// The rows of a query of the `sqlite3` shell, as texts.
  func query(_ sql: String) throws -> [[String]] {
    let outcome = try startShell(".mode ascii\n\(sql);").outcome()
    guard outcome.end == .exit(0) else { throw Trial.Fault("sqlite3 failed: \(outcome.errors)") }
    return outcome.output.split(separator: "\u{1E}").map { row in
      row.split(separator: "\u{1F}", omittingEmptySubsequences: false).map(String.init)
    }
  }

  /// What SQLite says about the file; nil where it is sound.
  func integrityFault() throws -> String? {
    let rows = try query("PRAGMA integrity_check").map { $0.joined() }
    return rows == ["ok"] ? nil : rows.joined(separator: "; ")
  }
}
