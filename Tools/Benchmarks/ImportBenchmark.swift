// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation
import LoopbackParse

/// The pages that an import benchmark imports.
enum ImportSubject: String {
  case `import`, reread, update

  /// The limit program's work that Ferry's is compared with.
  var limitName: String { self == .update ? "limit's update" : "limit's import" }
}

/// Measures the import of staged pages and the limit program in turns.
struct ImportBenchmark {
  private let options: BenchmarkOptions
  private let subject: ImportSubject
  private let server: LoopbackServer
  private let folder: URL

  init(_ options: BenchmarkOptions, _ subject: ImportSubject) throws {
    self.options = options
    self.subject = subject
    folder = FileManager.default.temporaryDirectory.appending(
      path: "ferry-bench-\(UUID().uuidString)")
    server = try LoopbackServer()
  }

  func run() throws -> ComparedResults {
    defer {
      server.stop()
      try? FileManager.default.removeItem(at: folder)
    }
    let places = try prepared()
    server.stop()
    var results = ComparedResults(subject: subject, records: options.records)
    for round in 0..<options.rounds {
      let limit = try places.limit.copied(to: folder.appending(path: "limit-\(round)"))
      let ferry = try places.ferry.copied(to: folder.appending(path: "ferry-\(round)"))
      // The second program finds the machine as the first one left it.
      if round.isMultiple(of: 2) {
        let first = try measureLimit(limit)
        results.rounds.append(.init(ferry: try measureFerry(ferry, as: subject), limit: first))
      } else {
        let first = try measureFerry(ferry, as: subject)
        results.rounds.append(.init(ferry: first, limit: try measureLimit(limit)))
      }
      try limit.remove()
      try ferry.remove()
    }
    return results
  }

  private static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()

  private func measureFerry(
    _ place: ImportPlace, as subject: ImportSubject
  ) throws -> MeasuredProcess {
    let path = place.folder.path(percentEncoded: false)
    return try MeasuredProcess(
      Self.program,
      ["import-once", path, place.server, subject.rawValue, "--records", "\(options.records)"])
  }

  private func stage(_ place: ImportPlace) throws {
    let path = place.folder.path(percentEncoded: false)
    _ = try MeasuredProcess(Self.program, ["stage-once", path, place.server])
  }

  private func measureLimit(_ place: ImportPlace) throws -> MeasuredProcess {
    try MeasuredProcess(
      Self.program.deletingLastPathComponent().appending(path: "ferry-limit"),
      [place.limitDatabase, place.pages].map { $0.path(percentEncoded: false) })
  }

  /// The places that Ferry and the limit program begin from.
  private func prepared() throws -> (ferry: ImportPlace, limit: ImportPlace) {
    let empty = ImportPlace(folder: folder.appending(path: "empty"), server: server.url)
    try load(isChanged: false)
    try stage(empty)
    guard subject != .import else { return (empty, empty) }
    // Ferry imports the pages here, so that the copy has them still.
    let filled = try empty.copied(to: folder.appending(path: "filled"))
    _ = try measureLimit(filled)
    _ = try measureFerry(filled, as: .import)
    if subject == .update { try load(isChanged: true) }
    try stage(filled)
    return (filled, subject == .update ? filled : empty)
  }

  /// Gives the server records that were just made: a listing goes back behind the last one so far that it
  /// shows them again.
  private func load(isChanged: Bool) throws {
    let notes = NoteGenerator(
      first: Timestamp.now.milliseconds - 5000, interval: 4000 / Double(options.records),
      isChanged: isChanged
    ).notes(options.records)
    try server.withBackend { backend throws(LoopbackError) in
      try backend.load(.object(["Note": .array(notes)]))
    }
  }
}
