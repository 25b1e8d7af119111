// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation

/// The program of the README, compiled and run.
///
/// The lines between the marks equal the README's program.
func readmeProgram(folder: URL, address: URL) async throws -> SyncReport.Outcome {
  // README begins
  let schema = Schema {
    Entity("League") {
      Field("name", .text)
    }
    Entity("Game") {
      Field("title", .text)
      Field("score", .integer, default: 0)
      Field("playedAt", .date)
      Field("league", .pointer(to: "League"))
    }
  }

  let store = try SQLiteStore(at: folder.appending(path: "games.sqlite"), schema: schema)
  let server = ParseServer(url: address, applicationID: "demo", key: .rest("secret"))
  let coordinator = SyncCoordinator(
    store: store, server: server, staging: folder.appending(path: "staging"),
    conflicts: .remoteWins.except(for: "Game", .choosingByField(["score": .local])))

  let league = try await store.write { try $0.insert("League", ["name": "North"]) }
  try await store.write { db in
    try db.insert("Game", ["title": "Final", "playedAt": .date(.now), "league": .pointer(league)])
  }

  print(try await coordinator.plan())

  let run = coordinator.startSync()
  for await event in run.events {
    if case .progress(let progress) = event { print(progress.className, progress.done) }
  }
  print(try await run.report.outcome)
  // README ends
  return try await run.report.outcome
}
