// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation
import LoopbackParse

/// Imports of staged pages beside an import that keeps nothing.
struct ImportBenchmark: Benchmark {
  private let subject: BenchmarkSubject
  private let records: Int
  private let folder = BenchmarkPlace.temporaryFolder()
  private let ferry: BenchmarkPlace
  private let limit: BenchmarkPlace

  var limitName: String? { subject == .update ? "limit's update" : "limit's import" }

  init(_ subject: BenchmarkSubject, records: Int) throws {
    self.subject = subject
    self.records = records
    let server = try LoopbackServer()
    defer { server.stop() }
    let empty = BenchmarkPlace(folder: folder.appending(path: "empty"), server: server.url)
    try server.loadRecentNotes(records)
    try BenchmarkStep(.stage, at: empty, records).measured()
    guard subject != .import else {
      (ferry, limit) = (empty, empty)
      return
    }
    // Ferry imports the pages here, so that the copy has them still.
    let filled = try empty.copied(to: folder.appending(path: "filled"))
    _ = try Self.importPages(at: filled)
    try BenchmarkStep(.import, at: filled, records).measured()
    try server.loadRecentNotes(records, isChanged: true)
    try BenchmarkStep(.stage, at: filled, records).measured()
    (ferry, limit) = (filled, filled)
  }

  func measureFerry(_ round: Int) throws -> Measurement {
    let place = try ferry.copied(to: folder.appending(path: "ferry-\(round)"))
    defer { try? place.remove() }
    return try BenchmarkStep(subject == .update ? .update : .import, at: place, records).measured()
  }

  func measureLimit(_ round: Int) throws -> Measurement? {
    let place = try limit.copied(to: folder.appending(path: "limit-\(round)"))
    defer { try? place.remove() }
    return try Self.importPages(at: place)
  }

  func end() { try? FileManager.default.removeItem(at: folder) }

  private static func importPages(at place: BenchmarkPlace) throws -> Measurement {
    try place.measureLimit(
      ["import"] + [place.limitDatabase, place.pages].map { $0.path(percentEncoded: false) })
  }
}
