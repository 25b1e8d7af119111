// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation
import LoopbackParse

/// A first sync of a server's records, beside a program that brings the same pages into tables and keeps nothing.
struct PullBenchmark: Benchmark {
  private let rows: Int
  private let classes: Int
  private let server: ReplayingServer
  private let folder = BenchmarkPlace.temporaryFolder()

  var limitName: String? { "limit's pull" }

  /// - Parameters:
  ///   - records: The number of records in all classes.
  ///   - classes: The number of classes.
  ///   - delay: How long the server takes for each answer.
  /// - Throws: The error of a server or a step.
  init(records: Int, classes: Int = 1, delay: Duration = .zero) throws {
    rows = records / classes
    self.classes = classes
    let notes = NoteGenerator().notes(rows)
    var backend = LoopbackBackend()
    for name in BenchmarkPlace(folder: folder, server: "", classes: classes).classNames {
      try backend.load(.object([name: .array(notes)]))
    }
    server = try ReplayingServer(backend, delay: delay)
    // The server answers from memory from now on.
    let first = place("first")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try BenchmarkStep(.pull, at: first, rows * classes).measured()
    _ = try measureLimit(at: place("first-limit"))
  }

  func measureFerry(_ round: Int) throws -> Measurement {
    let place = place("\(round)")
    defer { try? place.remove() }
    let before = server.requestCount
    var measurement = try BenchmarkStep(.pull, at: place, rows * classes).measured()
    measurement.requests = server.requestCount - before
    return measurement
  }

  func measureLimit(_ round: Int) throws -> Measurement? {
    try measureLimit(at: place("limit-\(round)"))
  }

  func end() {
    server.stop()
    try? FileManager.default.removeItem(at: folder)
  }

  private func place(_ name: String) -> BenchmarkPlace {
    BenchmarkPlace(folder: folder.appending(path: name), server: server.url, classes: classes)
  }

  private func measureLimit(at place: BenchmarkPlace) throws -> Measurement {
    try FileManager.default.createDirectory(at: place.folder, withIntermediateDirectories: true)
    defer { try? place.remove() }
    let before = server.requestCount
    var measurement = try place.measureLimit([
      "pull", place.limitDatabase.path(percentEncoded: false), place.server,
      place.folder.appending(path: "pages").path(percentEncoded: false), "\(classes)", "\(rows)",
    ])
    measurement.requests = server.requestCount - before
    return measurement
  }
}
