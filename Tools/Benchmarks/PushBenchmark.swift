// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation
import LoopbackParse

/// Creates of an app's rows, beside a client that sends the same batches and keeps nothing.
struct PushBenchmark: Benchmark {
  private let records: Int
  private let folder = BenchmarkPlace.temporaryFolder()
  private let filled: BenchmarkPlace

  var limitName: String? { "limit's push" }

  init(records: Int) throws {
    self.records = records
    filled = BenchmarkPlace(
      folder: folder.appending(path: "filled"), server: "http://127.0.0.1:1/parse")
    try BenchmarkStep(.fill, at: filled, records).measured()
  }

  func measureFerry(_ round: Int) throws -> Measurement {
    try measure("ferry-\(round)") { place in
      var measurement = try BenchmarkStep(.push, at: place, records).measured()
      measurement.parts = try BenchmarkParts(file: place.parts).seconds
      return measurement
    }
  }

  func measureLimit(_ round: Int) throws -> Measurement? {
    try measure("limit-\(round)") { place in
      try place.measureLimit(["push", place.database.path(percentEncoded: false), place.server])
    }
  }

  func end() { try? FileManager.default.removeItem(at: folder) }

  /// Measures a client with a server that holds nothing, and refuses where the server lacks a record then.
  private func measure(
    _ name: String, _ run: (BenchmarkPlace) throws -> Measurement
  ) throws -> Measurement {
    let server = try LoopbackServer()
    defer { server.stop() }
    let place = try filled.copied(to: folder.appending(path: name), server: server.url)
    defer { try? place.remove() }
    var measurement = try run(place)
    measurement.requests = server.requestCount
    let arrived = server.backend.objects(of: "Note").count
    guard arrived == records else { throw BenchmarkStep.Incomplete(done: arrived) }
    return measurement
  }
}
