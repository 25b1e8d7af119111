// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation
import LoopbackParse

/// A folder of the tool `ferry` with work to sync, and its server; both can be put back to their beginning.
final class WorkingFolder {
  /// The values of a row, without its ids.
  struct Row: Hashable {
    var title: String
    var score: Double?
    var note: String?
    /// The title of the row to which it points.
    var home: String?
  }

  /// All rows of both sides, in order; a duplicate is there twice.
  struct State: Equatable {
    var local: [Row]
    var remote: [Row]
  }

  /// The folder in which the tool runs.
  let url: URL
  /// The beginning of the folder.
  private let kept: URL
  private let server: LoopbackServer
  private var backend: LoopbackBackend

  /// Makes the folder and its work; `kept` is a second folder, for the beginning.
  init(_ work: PreparedWork, at url: URL, keptAt kept: URL) async throws {
    self.url = url
    self.kept = kept
    var configuration = LoopbackConfiguration()
    configuration.allowCustomObjectId = work.allowsChosenIDs
    server = try LoopbackServer(configuration)
    backend = server.backend
    try FileManager.default.createDirectory(at: kept, withIntermediateDirectories: true)
    try Data(PlayedClasses.configuration(server: server.url).utf8)
      .write(to: kept.appending(path: "ferry.json"))
    try server.withBackend { backend throws(LoopbackError) in try work.make(in: &backend) }
    if !work.isFirst {
      try await sync(in: kept)
      try work.edit(store(in: kept))
    }
    try server.withBackend { backend throws(LoopbackError) in try work.edit(&backend) }
    backend = server.backend
  }

  /// Makes the present state the beginning.
  func keep() throws {
    try FileManager.default.removeItem(at: kept)
    try FileManager.default.copyItem(at: url, to: kept)
    backend = server.backend
  }

  deinit { server.stop() }

  // MARK: Again

  /// Puts the folder and the server back to the beginning.
  func restore() throws {
    try waitForClosedStores()
    let files = FileManager.default
    if !files.fileExists(atPath: url.path) {
      try files.createDirectory(at: url, withIntermediateDirectories: true)
    }
    for name in try files.contentsOfDirectory(atPath: url.path) {
      try files.removeItem(at: url.appending(path: name))
    }
    for name in try files.contentsOfDirectory(atPath: kept.path) {
      try files.copyItem(at: kept.appending(path: name), to: url.appending(path: name))
    }
    try server.withBackend { [backend] present throws(LoopbackError) in
      let address = present.publicURL
      present = backend
      present.publicURL = address
    }
  }

  /// Waits until this process has no file of the folder open.
  ///
  /// A store closes when its last operation ends, on a thread of its own, and then removes its log by name. It would
  /// remove the log of the files that take its place. SQLite closes the database after that.
  private func waitForClosedStores() throws {
    let files = FileManager.default
    let place = url.resolvingSymlinksInPath().path + "/"
    for _ in 1...10_000 {
      let open = try files.contentsOfDirectory(atPath: "/proc/self/fd").contains { name in
        // The descriptor that lists the folder is closed by now.
        let file = try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
        return file?.hasPrefix(place) ?? false
      }
      if !open { return }
      usleep(1000)
    }
    throw Trial.Fault("A store in \(url.path) stayed open.")
  }

  /// Syncs with the engine as an app does, until nothing is left to do, and returns the state of both sides.
  ///
  /// No request is under way any more. So a change in doubt need not wait for one.
  func recover() async throws -> State {
    for _ in 1...3 { try await sync(in: url) }
    return try state()
  }

  private func sync(in folder: URL) async throws {
    guard let address = URL(string: server.url) else { throw URLError(.badURL) }
    var options = SyncOptions()
    options.maximumRequestDuration = .zero
    _ = try await SyncCoordinator(
      store: store(in: folder), server: ParseServer(url: address, applicationID: "app1"),
      staging: folder.appending(path: "staging"), options: options
    ).startSync().report
  }

  private func store(in folder: URL) throws -> SQLiteStore {
    try SQLiteStore(at: folder.appending(path: "store.sqlite"), schema: PlayedClasses.schema)
  }

  private func state() throws -> State {
    let local = try store(in: url).read { db in
      let teams = Dictionary(
        try db.records(of: "Team").map { ($0.objectID, $0["title"].text) },
        uniquingKeysWith: { $1 })
      return try db.records(of: "Game").map { game in
        var home: String?
        if case .pointer(let pointer) = game["home"] { home = teams[pointer.objectID] ?? "?" }
        return Row(
          title: game["title"].text ?? "?", score: game["score"].count,
          note: game["note"].text, home: home)
      }
    }
    let backend = server.backend
    let teams = Dictionary(
      backend.objects(of: "Team").map { ($0["objectId"]?.string, $0["title"]?.string) },
      uniquingKeysWith: { $1 })
    let remote = backend.objects(of: "Game").map { game in
      Row(
        title: game["title"]?.string ?? "?", score: game["score"]?.number,
        note: game["note"]?.string,
        home: game["home"].map { teams[$0["objectId"]?.string] ?? "?" } ?? nil)
    }
    return State(
      local: local.sorted { $0.order < $1.order }, remote: remote.sorted { $0.order < $1.order })
  }
}

extension WorkingFolder.Row {
  fileprivate var order: String { "\(self)" }
}

extension Value {
  fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
  fileprivate var count: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .number(let number): number
    default: nil
    }
  }
}
