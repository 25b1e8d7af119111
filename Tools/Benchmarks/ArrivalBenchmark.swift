// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation
import LoopbackParse

/// The time from an app's new row to its arrival in another store: two syncs, the mean of many in one process.
struct ArrivalBenchmark: Benchmark {
  private static let rows = 100

  private let server: LoopbackServer
  private let folder = BenchmarkPlace.temporaryFolder()

  var limitName: String? { nil }

  init() throws { server = try LoopbackServer() }

  func measureFerry(_ round: Int) throws -> Measurement {
    let place = BenchmarkPlace(folder: folder.appending(path: "\(round)"), server: server.url)
    defer { try? place.remove() }
    server.withBackend { $0 = LoopbackBackend() }
    let before = server.requestCount
    var measurement = try BenchmarkStep(.arrival, at: place, Self.rows).measured()
    measurement.requests = server.requestCount - before
    measurement.parts = try BenchmarkParts(file: place.parts).seconds
    return measurement.divided(by: Self.rows)
  }

  func measureLimit(_ round: Int) throws -> Measurement? { nil }

  func end() {
    server.stop()
    try? FileManager.default.removeItem(at: folder)
  }
}
