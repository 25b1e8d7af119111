// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation
import LoopbackParse

/// A sync that finds 100 records changed on the server among very many, beside the same among 10,000.
struct ChangesBenchmark: Benchmark {
  private static let changed = 100
  private static let few = 10_000

  /// A store that is in step but for the changes.
  private struct Side {
    var server: LoopbackServer
    var place: BenchmarkPlace

    init(_ name: String, in folder: URL, records: Int) throws {
      server = try LoopbackServer()
      place = BenchmarkPlace(folder: folder.appending(path: name), server: server.url)
      try server.load(NoteGenerator().notes(records))
      try BenchmarkStep(.pull, at: place, records).measured()
      try server.loadRecentNotes(ChangesBenchmark.changed, isChanged: true)
    }

    func measure(_ name: String) throws -> Measurement {
      let copy = try place.copied(
        to: place.folder.deletingLastPathComponent().appending(path: name))
      defer { try? copy.remove() }
      let before = server.requestCount
      var measurement = try BenchmarkStep(.changes, at: copy, ChangesBenchmark.changed).measured()
      measurement.requests = server.requestCount - before
      return measurement
    }
  }

  private let folder = BenchmarkPlace.temporaryFolder()
  private let many: Side
  private let few: Side

  var limitName: String? { "among \(Self.few)" }

  init(records: Int) throws {
    many = try Side("many", in: folder, records: records)
    few = try Side("few", in: folder, records: Self.few)
  }

  func measureFerry(_ round: Int) throws -> Measurement { try many.measure("many-\(round)") }

  func measureLimit(_ round: Int) throws -> Measurement? { try few.measure("few-\(round)") }

  func end() {
    many.server.stop()
    few.server.stop()
    try? FileManager.default.removeItem(at: folder)
  }
}
