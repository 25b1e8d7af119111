// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation
import LoopbackParse

/// A pull that changes every row, of which the app edited 5 %, beside a pull without edits.
///
/// In addition, 1 % of the changed records cannot be read.
struct MixedBenchmark: Benchmark {
  /// A store in step, and a server on which all records have changed since.
  private struct Side {
    let server: ReplayingServer
    let place: BenchmarkPlace
    let records: Int

    init(_ name: String, in folder: URL, _ records: Int, unreadableEach: Int?) throws {
      self.records = records
      var backend = LoopbackBackend()
      try backend.load(.object(["Note": .array(NoteGenerator().notes(records))]))
      server = try ReplayingServer(backend)
      place = BenchmarkPlace(folder: folder.appending(path: name), server: server.url)
      try BenchmarkStep(.pull, at: place, records).measured()
      let changed = NoteGenerator.recent(
        records, isChanged: true, unreadableEach: unreadableEach)
      try server.change { try $0.load(.object(["Note": .array(changed)])) }
    }

    func measure(_ name: String) throws -> Measurement {
      let copy = try place.copied(
        to: place.folder.deletingLastPathComponent().appending(path: name))
      defer { try? copy.remove() }
      let before = server.requestCount
      var measurement = try BenchmarkStep(.mixed, at: copy, records).measured()
      measurement.requests = server.requestCount - before
      return measurement
    }
  }

  private let folder = BenchmarkPlace.temporaryFolder()
  private let mixed: Side
  private let plain: Side

  var limitName: String? { "nothing edited" }

  init(records: Int) throws {
    mixed = try Side("mixed", in: folder, records, unreadableEach: 100)
    plain = try Side("plain", in: folder, records, unreadableEach: nil)
    try BenchmarkStep(.edit, at: mixed.place, records / 20).measured()
    // The servers answer from memory from now on.
    for side in [mixed, plain] { _ = try side.measure("first") }
  }

  func measureFerry(_ round: Int) throws -> Measurement { try mixed.measure("mixed-\(round)") }

  func measureLimit(_ round: Int) throws -> Measurement? { try plain.measure("plain-\(round)") }

  func end() {
    mixed.server.stop()
    plain.server.stop()
    try? FileManager.default.removeItem(at: folder)
  }
}
