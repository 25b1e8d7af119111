// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryPlanning
import Foundation
import LoopbackParse

/// Measures download and import of a first sync, and a sync that finds nothing new.
struct PullBenchmark {
  private let options: BenchmarkOptions
  private let server: LoopbackServer
  private let folder: URL

  static let schema = Schema {
    Entity("Note") {
      Field("title", .text)
      Field("count", .integer)
      Field("ratio", .number)
      Field("done", .boolean)
      Field("when", .date, column: "whenValue")
      Field("tags", .array)
      Field("place", .geoPoint)
      Field("owner", .pointer(to: "Person"))
      Field("body", .text)
    }
  }

  init(_ options: BenchmarkOptions) throws {
    self.options = options
    folder = FileManager.default.temporaryDirectory.appending(
      path: "ferry-bench-\(UUID().uuidString)")
    server = try LoopbackServer()
    let notes = NoteGenerator().notes(options.records)
    try server.withBackend { backend throws(LoopbackError) in
      try backend.load(.object(["Note": .array(notes)]))
    }
  }

  func run() async throws -> BenchmarkResults {
    defer {
      server.stop()
      try? FileManager.default.removeItem(at: folder)
    }
    var results = BenchmarkResults(records: options.records)
    for round in 0..<options.rounds {
      let coordinator = try coordinator(in: folder.appending(path: "\(round)"))
      let download = try await coordinator.startSync(.through(.download)).report
      let imported = try await coordinator.startSync(.only(.importing)).report
      guard imported.classes["Note"]?.imported == options.records else { throw Incomplete() }
      let down = download.seconds(.download)
      let into = imported.seconds(.importing)
      results.add("download", Double(options.records) / down)
      results.add("import", Double(options.records) / into)
      results.add("pull", Double(options.records) / (down + into))
      try await Task.sleep(for: .seconds(2))
      let idle = try await coordinator.startSync().report
      results.add("requests of a sync without changes", Double(idle.requests))
    }
    return results
  }

  private func coordinator(in folder: URL) throws -> SyncCoordinator {
    guard let address = URL(string: server.url) else { throw URLError(.badURL) }
    let store = try SQLiteStore(at: folder.appending(path: "notes.sqlite"), schema: Self.schema)
    return SyncCoordinator(
      store: store, server: ParseServer(url: address, applicationID: "app1"),
      staging: folder.appending(path: "staging"))
  }

  private struct Incomplete: Error {}
}

extension SyncReport {
  fileprivate func seconds(_ stage: StageName) -> Double {
    stages.first { $0.stage == stage }?.seconds ?? .infinity
  }
}
