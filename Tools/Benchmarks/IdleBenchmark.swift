// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation
import LoopbackParse

/// A sync of many classes that finds nothing new, the mean of several in one process.
struct IdleBenchmark: Benchmark {
  private static let syncs = 20

  private let server: LoopbackServer
  private let folder = BenchmarkPlace.temporaryFolder()
  private let synced: BenchmarkPlace

  var limitName: String? { nil }

  init(classes: Int, records: Int) throws {
    server = try LoopbackServer()
    synced = BenchmarkPlace(
      folder: folder.appending(path: "synced"), server: server.url, classes: classes)
    let notes = NoteGenerator().notes(max(records / classes, 1))
    for name in synced.classNames { try server.load(notes, of: name) }
    try BenchmarkStep(.idle, at: synced, 2).measured()
  }

  func measureFerry(_ round: Int) throws -> Measurement {
    let place = try synced.copied(to: folder.appending(path: "\(round)"))
    defer { try? place.remove() }
    let before = server.requestCount
    var measurement = try BenchmarkStep(.idle, at: place, Self.syncs).measured()
    measurement.requests = server.requestCount - before
    return measurement.divided(by: Self.syncs)
  }

  func measureLimit(_ round: Int) throws -> Measurement? { nil }

  func end() {
    server.stop()
    try? FileManager.default.removeItem(at: folder)
  }
}
