// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation
import LoopbackParse

/// A sync that finds records which another client deleted, among all that the store has.
struct MissingBenchmark: Benchmark {
  static let rounds = 3
  private static let missing = 100

  private let server: LoopbackServer
  private let folder = BenchmarkPlace.temporaryFolder()
  private let synced: BenchmarkPlace

  var limitName: String? { nil }

  init(records: Int) throws {
    server = try LoopbackServer()
    synced = BenchmarkPlace(folder: folder.appending(path: "synced"), server: server.url)
    let notes = NoteGenerator().notes(records)
    try server.load(notes)
    try BenchmarkStep(.pull, at: synced, records).measured()
    try server.withBackend { backend throws(LoopbackError) in
      for number in 0..<Self.missing {
        guard case .object(let note) = notes[number * (records / Self.missing)],
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
    var measurement = try BenchmarkStep(.missing, at: place, Self.missing).measured()
    measurement.requests = server.requestCount - before
    return measurement
  }

  func measureLimit(_ round: Int) throws -> Measurement? { nil }

  func end() {
    server.stop()
    try? FileManager.default.removeItem(at: folder)
  }
}
