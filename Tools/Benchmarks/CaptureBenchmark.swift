// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// An app's edits in plain SQL, on a table that Ferry captures and on the same table without Ferry.
struct CaptureBenchmark: Benchmark {
  /// An edit, as the limit program names it.
  enum Edit: String {
    case insert, update, delete
    case updateAll = "update-all"
  }

  private let edit: Edit
  private let rows: Int
  private let rowsPerTransaction: Int
  private let folder = BenchmarkPlace.temporaryFolder()
  private let captured: BenchmarkPlace
  private let bare: BenchmarkPlace

  var limitName: String? { "without Ferry" }

  /// Both sides begin from a table with as many rows as are edited; an insert adds that many.
  init(_ edit: Edit, rows: Int, rowsPerTransaction: Int = 1000) throws {
    self.edit = edit
    self.rows = rows
    self.rowsPerTransaction = rowsPerTransaction
    captured = BenchmarkPlace(
      folder: folder.appending(path: "captured"), server: "http://127.0.0.1:1")
    bare = BenchmarkPlace(folder: folder.appending(path: "bare"), server: captured.server)
    try BenchmarkStep(.create, at: captured, rows).measured()
    try FileManager.default.createDirectory(at: bare.folder, withIntermediateDirectories: true)
    for place in [captured, bare] { _ = try Self.measure(.insert, at: place, rows, 1000) }
  }

  func measureFerry(_ round: Int) throws -> Measurement {
    try measure(captured, "captured-\(round)")
  }

  func measureLimit(_ round: Int) throws -> Measurement? { try measure(bare, "bare-\(round)") }

  func end() { try? FileManager.default.removeItem(at: folder) }

  private func measure(_ place: BenchmarkPlace, _ name: String) throws -> Measurement {
    let copy = try place.copied(to: folder.appending(path: name))
    defer { try? copy.remove() }
    return try Self.measure(edit, at: copy, rows, rowsPerTransaction)
  }

  private static func measure(
    _ edit: Edit, at place: BenchmarkPlace, _ rows: Int, _ rowsPerTransaction: Int
  ) throws -> Measurement {
    let database = place.database.path(percentEncoded: false)
    return try place.measureLimit(
      ["edit", database, edit.rawValue, "\(rows)", "\(rowsPerTransaction)"])
  }
}
