// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation
import LoopbackParse

/// A first sync of a server's records.
struct PullBenchmark: Benchmark {
  static let rounds = 3

  private let records: Int
  private let server: LoopbackServer
  private let folder = BenchmarkPlace.temporaryFolder()

  var limitName: String? { nil }

  init(records: Int) throws {
    self.records = records
    server = try LoopbackServer()
    let notes = NoteGenerator().notes(records)
    try server.withBackend { backend throws(LoopbackError) in
      try backend.load(.object(["Note": .array(notes)]))
    }
  }

  func measureFerry(_ round: Int) throws -> Measurement {
    let place = BenchmarkPlace(folder: folder.appending(path: "\(round)"), server: server.url)
    defer { try? place.remove() }
    let before = server.requestCount
    var measurement = try BenchmarkStep(.pull, at: place, records).measured()
    measurement.requests = server.requestCount - before
    return measurement
  }

  func measureLimit(_ round: Int) throws -> Measurement? { nil }

  func end() {
    server.stop()
    try? FileManager.default.removeItem(at: folder)
  }
}
