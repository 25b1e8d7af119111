// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation

/// Creates of an app's rows on a real Parse Server, beside a client that sends the same batches and keeps nothing.
struct RealPushBenchmark: Benchmark {
  static let rounds = 3

  private let server: RealServer
  private let records: Int
  private let folder = BenchmarkPlace.temporaryFolder()
  private let filled: BenchmarkPlace

  var limitName: String? { "limit's push" }

  init(server: String, records: Int) throws {
    self.server = RealServer(url: server)
    self.records = records
    filled = BenchmarkPlace(folder: folder.appending(path: "filled"), server: server)
    try BenchmarkStep(.fill, at: filled, records).measured()
    try self.server.createClass()
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

  func end() {
    try? server.empty()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Measures a client with an empty class, and refuses where the server lacks a record then.
  private func measure(
    _ name: String, _ run: (BenchmarkPlace) throws -> Measurement
  ) throws -> Measurement {
    try server.empty()
    let place = try filled.copied(to: folder.appending(path: name))
    defer { try? place.remove() }
    let measurement = try run(place)
    // Without a condition, PostgreSQL only estimates.
    let condition = "%7B%22objectId%22%3A%7B%22%24exists%22%3Atrue%7D%7D"
    let answer = try server.ask("GET", "classes/Note?count=1&limit=0&where=\(condition)")
    let arrived = try JSONDecoder().decode(Counted.self, from: answer).count
    guard arrived == records else { throw BenchmarkStep.Incomplete(done: arrived) }
    return measurement
  }

  private struct Counted: Decodable { var count: Int }
}
