// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation
import LoopbackParse

/// A synced store with unsent edits, its server, and the files of several moments.
final class DamageBase {
  /// The files of one moment, and what the server held then.
  struct Moment {
    var name: String
    var folder: URL
    var backend: LoopbackBackend
  }

  /// The writes of the app that the server may receive.
  private(set) var edits: [String: [String: LoopbackValue]] = [:]
  private(set) var deletes: Set<String> = []
  private(set) var creates: [String: [String: LoopbackValue]] = [:]
  private(set) var moments: [Moment] = []
  /// The files before the app's edits.
  let earlier: URL
  let place: Workplace
  private let root: URL

  init(at root: URL) async throws {
    self.root = root
    earlier = root.appending(path: "earlier")
    place = try Workplace(
      at: root.appending(path: "base"), tool: root, allowsChosenIDs: false)
    try fillServer()
    // The store stays open, so that its write-ahead log stays.
    let store = try place.openStore()
    let coordinator = try place.coordinator(store)
    _ = try await coordinator.startSync().report
    try copyFiles(to: earlier)
    try editLocally(store)
    try note("edits that no sync has seen")
    try editRemotely(1)
    _ = try await coordinator.startSync(.through(.download)).report
    try note("edits and staged pages")
    _ = try await coordinator.startSync(.only(.importing)).report
    try editRemotely(2)
    _ = try await coordinator.startSync(.through(.download)).report
    try note("an outbox and staged pages")
    place.server.setFault { $0.target.hasSuffix("batch") ? .answerLost : nil }
    _ = try? await coordinator.startSync(.only(.postCreated)).report
    place.server.setFault(nil)
    try note("creates without an answer")
  }

  // MARK: The course of events

  private func fillServer() throws {
    try place.server.withBackend { backend throws(LoopbackError) in
      var team = ""
      for number in 1...4 {
        team = try backend.create("Team", ["title": .string("Team \(number)")])
      }
      for number in 1...60 {
        _ = try backend.create(
          "Game",
          [
            "title": .string("Game \(number)"), "score": .number(Double(number)),
            "note": .string("The server's note \(number)"), "home": .pointer("Team", team),
          ])
      }
    }
  }

  private func editLocally(_ store: SQLiteStore) throws {
    try store.write { db in
      for (number, game) in try db.records(of: "Game", limit: 12).enumerated() {
        let note = "The app's note \(number)"
        switch number {
        case 0...5:
          try db.update(game.reference, ["note": .string(note)])
          edits[game.objectID] = ["note": .string(note)]
        case 6...8:
          try db.update(game.reference, ["score": .number(100.5 + Double(number))])
          edits[game.objectID] = ["score": .number(100.5 + Double(number))]
        default:
          try db.delete(game.reference)
          deletes.insert(game.objectID)
        }
      }
      for number in 1...4 {
        try db.insert("Game", ["title": .string("New \(number)"), "score": 7])
        creates["New \(number)"] = ["title": .string("New \(number)"), "score": 7]
      }
    }
  }

  private func editRemotely(_ time: Int) throws {
    try place.server.withBackend { backend throws(LoopbackError) in
      let games = backend.objects(of: "Game").filter { ($0["score"]?.number ?? 0) > 30 }
      for game in games.prefix(8) {
        guard let id = game["objectId"]?.string else { continue }
        try backend.update("Game", id, ["note": .string("The server's later note \(time)")])
      }
      for team in backend.objects(of: "Team") {
        guard let id = team["objectId"]?.string else { continue }
        try backend.update("Team", id, ["points": .number(Double(time))])
      }
      _ = try backend.create("Game", ["title": .string("Remote \(time)"), "score": 31])
    }
  }

  // MARK: Files

  /// Keeps the files as they are now, and once more without a write-ahead log.
  private func note(_ name: String) throws {
    let number = moments.count
    let (with, without) = (
      root.appending(path: "moment-\(number)"), root.appending(path: "moment-\(number + 1)")
    )
    for folder in [with, without] {
      try copyFiles(to: folder)
      moments.append(Moment(name: name, folder: folder, backend: place.server.backend))
    }
    let outcome = try RunningProgram(
      URL(filePath: "/usr/bin/sqlite3"), ["-batch", "store.sqlite"], in: without,
      input: "PRAGMA wal_checkpoint(TRUNCATE);\n"
    ).outcome()
    guard outcome.end == .exit(0) else { throw Trial.Fault(outcome.errors) }
  }

  private func copyFiles(to folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for name in ["store.sqlite", "store.sqlite-wal", "staging"] {
      let source = place.folder.appending(path: name)
      guard FileManager.default.fileExists(atPath: source.path) else { continue }
      try FileManager.default.copyItem(at: source, to: folder.appending(path: name))
    }
  }
}
