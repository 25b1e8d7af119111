// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation

/// A folder with a store, the pages that a download staged for it, and the limit program's database.
struct BenchmarkPlace {
  let folder: URL
  /// The server's address, which a store remembers.
  let server: String

  /// How many classes the store has.
  var classes = 1
  /// Whether the store learns of deletions from the server's log; otherwise it compares counts.
  var readsLog = false

  var classNames: [String] { (0..<classes).map { $0 == 0 ? "Note" : "Note\($0)" } }

  private var schema: Schema {
    Schema {
      for name in classNames {
        Self.entity(name).deletions(readsLog ? .deletionLog : .counting)
      }
    }
  }

  private static func entity(_ name: String) -> Entity {
    Entity(name) {
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

  /// A new folder that nobody else uses.
  static func temporaryFolder() -> URL {
    FileManager.default.temporaryDirectory.appending(path: "ferry-bench-\(UUID().uuidString)")
  }

  var database: URL { folder.appending(path: "notes.sqlite") }
  var limitDatabase: URL { folder.appending(path: "limit.sqlite") }
  /// Where a step leaves the time of its parts.
  var parts: URL { folder.appending(path: "parts.json") }
  var pages: URL { folder.appending(path: "staging/Note") }

  func store() throws -> SQLiteStore { try SQLiteStore(at: database, schema: schema) }

  /// A coordinator as an app makes one.
  func coordinator() throws -> SyncCoordinator { try coordinator(of: try store()) }

  func coordinator(of store: SQLiteStore) throws -> SyncCoordinator {
    guard let address = URL(string: server) else { throw URLError(.badURL) }
    return SyncCoordinator(
      store: store, server: ParseServer(url: address, applicationID: "app1"),
      staging: folder.appending(path: "staging"))
  }

  /// Runs the limit program here.
  func measureLimit(_ arguments: [String]) throws -> Measurement {
    try MeasuredProcess.run(MeasuredProcess.limitProgram, arguments)
  }

  /// A copy at another place; pages never change, so the copy shares them.
  func copied(to other: URL, server: String? = nil) throws -> BenchmarkPlace {
    let files = FileManager.default
    let copy = BenchmarkPlace(
      folder: other, server: server ?? self.server, classes: classes, readsLog: readsLog)
    try files.createDirectory(at: copy.pages, withIntermediateDirectories: true)
    for name in try files.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
    where name != "staging" {
      try files.copyItem(at: folder.appending(path: name), to: other.appending(path: name))
    }
    guard files.fileExists(atPath: pages.path(percentEncoded: false)) else { return copy }
    for name in try files.contentsOfDirectory(atPath: pages.path(percentEncoded: false)) {
      try files.linkItem(at: pages.appending(path: name), to: copy.pages.appending(path: name))
    }
    return copy
  }

  func remove() throws { try FileManager.default.removeItem(at: folder) }
}
