// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation
import LoopbackParse

/// Edits of many rows that the server has.
struct PushEditsBenchmark: Benchmark {
  static let rounds = 2

  private let records: Int
  private let server: LoopbackServer
  /// The server before the edits arrive.
  private let before: LoopbackBackend
  private let folder = BenchmarkPlace.temporaryFolder()
  private let edited: BenchmarkPlace

  var limitName: String? { nil }

  init(records: Int) throws {
    self.records = records
    server = try LoopbackServer()
    edited = BenchmarkPlace(folder: folder.appending(path: "edited"), server: server.url)
    try server.load(NoteGenerator().notes(records))
    try BenchmarkStep(.pull, at: edited, records).measured()
    try BenchmarkStep(.edit, at: edited, records).measured()
    before = server.backend
  }

  func measureFerry(_ round: Int) throws -> Measurement {
    server.withBackend { [before] in $0 = before }
    let place = try edited.copied(to: folder.appending(path: "\(round)"))
    defer { try? place.remove() }
    let count = server.requestCount
    var measurement = try BenchmarkStep(.pushEdits, at: place, records).measured()
    measurement.requests = server.requestCount - count
    return measurement
  }

  func measureLimit(_ round: Int) throws -> Measurement? { nil }

  func end() {
    server.stop()
    try? FileManager.default.removeItem(at: folder)
  }
}
