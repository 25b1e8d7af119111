// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation
import LoopbackParse

/// A sync right after many records were written and a first sync brought them, so that the overlap holds them all.
struct RereadBenchmark: Benchmark {
  /// The work that the sync is compared with.
  enum Peer {
    /// The limit's import of the same records; the limit has no better way to read them once more.
    case limitImport
    /// A download of the same records, without their import.
    case download
  }

  /// How long the records took to be written; a listing goes back 90 seconds.
  private static let seconds: Int64 = 80

  private let records: Int
  private let peer: Peer
  private let server: ReplayingServer
  private let folder = BenchmarkPlace.temporaryFolder()
  /// A store that is in step.
  private let filled: BenchmarkPlace
  /// A store without rows, and the pages of all records.
  private let staged: BenchmarkPlace

  var limitName: String? { peer == .download ? "download" : "limit's import" }

  init(records: Int, beside peer: Peer) throws {
    self.records = records
    self.peer = peer
    let notes = NoteGenerator.recent(records, over: Self.seconds)
    var backend = LoopbackBackend()
    try backend.load(.object(["Note": .array(notes)]))
    server = try ReplayingServer(backend)
    filled = BenchmarkPlace(folder: folder.appending(path: "filled"), server: server.url)
    staged = BenchmarkPlace(folder: folder.appending(path: "staged"), server: server.url)
    try BenchmarkStep(.pull, at: filled, records).measured()
    try BenchmarkStep(.stage, at: staged, records).measured()
    // The server answers from memory from now on.
    _ = try measureFerry(0)
  }

  func measureFerry(_ round: Int) throws -> Measurement {
    let place = try filled.copied(to: folder.appending(path: "ferry-\(round)"))
    defer { try? place.remove() }
    return try measure(.reread, at: place)
  }

  func measureLimit(_ round: Int) throws -> Measurement? {
    guard peer == .limitImport else {
      let place = BenchmarkPlace(
        folder: folder.appending(path: "limit-\(round)"), server: server.url)
      defer { try? place.remove() }
      return try measure(.stage, at: place)
    }
    let place = try staged.copied(to: folder.appending(path: "limit-\(round)"))
    defer { try? place.remove() }
    return try place.measureLimit(
      ["import"] + [place.limitDatabase, place.pages].map { $0.path(percentEncoded: false) })
  }

  func end() {
    server.stop()
    try? FileManager.default.removeItem(at: folder)
  }

  private func measure(
    _ step: BenchmarkStep.Name, at place: BenchmarkPlace
  ) throws -> Measurement {
    let before = server.requestCount
    var measurement = try BenchmarkStep(step, at: place, records).measured()
    measurement.requests = server.requestCount - before
    return measurement
  }
}
