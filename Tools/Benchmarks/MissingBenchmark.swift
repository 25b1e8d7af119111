// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation
import LoopbackParse

/// A sync that finds records which another client deleted, among all that the store has.
struct MissingBenchmark: Benchmark {
  static let rounds = 3

  private let server: LoopbackServer
  private let folder = BenchmarkPlace.temporaryFolder()
  private let synced: BenchmarkPlace
  private let missing: Int

  var limitName: String? { nil }

  /// Prepares a store that has all records, of which another client deletes some; it compares counts, or reads the log.
  init(records: Int, missing: Int = 100, readsLog: Bool = false) throws {
    self.missing = missing
    var configuration = LoopbackConfiguration()
    if readsLog { configuration.ferryModule = LoopbackFerryModule(classes: ["Note"]) }
    server = try LoopbackServer(configuration)
    synced = BenchmarkPlace(
      folder: folder.appending(path: "synced"), server: server.url, readsLog: readsLog)
    let notes = NoteGenerator().notes(records)
    try server.load(notes)
    try BenchmarkStep(.pull, at: synced, records).measured()
    // The second sync compares counts once more, and from then on the log alone counts.
    if readsLog { try BenchmarkStep(.idle, at: synced, 2).measured() }
    try server.withBackend { backend throws(LoopbackError) in
      for number in 0..<missing {
        guard case .object(let note) = notes[number * (records / missing)],
          case .string(let id)? = note["objectId"]
        else { continue }
        try backend.delete("Note", id)
      }
    }
  }

  func measureFerry(_ round: Int) throws -> Measurement {
    let place = try synced.copied(to: folder.appending(path: "\(round)"))
    defer { try? place.remove() }
    let before = server.requestCount
    var measurement = try BenchmarkStep(.missing, at: place, missing).measured()
    measurement.requests = server.requestCount - before
    return measurement
  }

  func measureLimit(_ round: Int) throws -> Measurement? { nil }

  func end() {
    server.stop()
    try? FileManager.default.removeItem(at: folder)
  }
}
