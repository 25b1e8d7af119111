// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import LoopbackParse

/// A first sync beside a library of another kind, which brings the same pages into a store of its own.
///
/// The peers ask a server for pages by their numbers, and send nothing. They keep no outbox, no history and no
/// conflict records. Their figures hold the start of node.
struct PeerBenchmark: Benchmark {
  static let rounds = 3

  /// A script that takes the address of a server and the number of pages.
  enum Peer: String {
    case betterSQLite = "peer-sqlite.mjs"
    case watermelonDB = "peer-watermelon.cjs"
    case rxDB = "peer-rxdb.mjs"
  }

  private static let recordsPerPage = 1000

  private let peer: Peer
  private let scripts: URL
  private let pages: Int
  private let pull: PullBenchmark
  private let server: LoopbackServer
  private let folder = BenchmarkPlace.temporaryFolder()

  var limitName: String? {
    switch peer {
    case .betterSQLite: "better-sqlite3"
    case .watermelonDB: "WatermelonDB"
    case .rxDB: "RxDB, in memory"
    }
  }

  /// - Parameters:
  ///   - peer: The library.
  ///   - scripts: The folder with the scripts and the modules of node.
  ///   - records: The number of records.
  /// - Throws: The error of a server or a step.
  init(_ peer: Peer, scripts: String, records: Int) throws {
    self.peer = peer
    self.scripts = URL(filePath: scripts)
    let notes = NoteGenerator().notes(records)
    let answers = stride(from: 0, to: records, by: Self.recordsPerPage).map { start in
      let page = Array(notes[start..<min(start + Self.recordsPerPage, records)])
      return LoopbackResponse(status: 200, json: ["results": .array(page)])
    }
    pages = answers.count
    pull = try PullBenchmark(records: records)
    server = try LoopbackServer()
    let end = LoopbackResponse(status: 200, json: ["results": []])
    server.setFault { request in
      let number = request.target.split(separator: "/").last.flatMap { Int($0) }
      return .respond(number.flatMap { answers.indices.contains($0) ? answers[$0] : nil } ?? end)
    }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  func measureFerry(_ round: Int) throws -> Measurement { try pull.measureFerry(round) }

  func measureLimit(_ round: Int) throws -> Measurement? {
    // The peers write into the folder in which they run.
    let place = folder.appending(path: "\(round)")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: place) }
    let before = server.requestCount
    let script = scripts.appending(path: peer.rawValue).path(percentEncoded: false)
    var measurement = try MeasuredProcess.run(
      URL(filePath: "/usr/bin/env"), ["node", script, server.url, "\(pages)"], in: place)
    measurement.requests = server.requestCount - before
    return measurement
  }

  func end() {
    pull.end()
    server.stop()
    try? FileManager.default.removeItem(at: folder)
  }
}
