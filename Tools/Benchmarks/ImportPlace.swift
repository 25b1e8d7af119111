// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation

/// A folder with a store, the pages that a download staged for it, and the limit program's database.
struct ImportPlace {
  let folder: URL
  /// The server's address, which a store remembers.
  let server: String

  var limitDatabase: URL { folder.appending(path: "limit.sqlite") }
  var pages: URL { folder.appending(path: "staging/Note") }

  /// A coordinator as an app makes one.
  func coordinator() throws -> SyncCoordinator {
    guard let address = URL(string: server) else { throw URLError(.badURL) }
    let store = try SQLiteStore(
      at: folder.appending(path: "notes.sqlite"), schema: PullBenchmark.schema)
    return SyncCoordinator(
      store: store, server: ParseServer(url: address, applicationID: "app1"),
      staging: folder.appending(path: "staging"))
  }

  func stage() async throws { _ = try await coordinator().startSync(.through(.download)).report }

  /// Imports the staged pages, and refuses to be measured where that were other records than they should be.
  func importStagedPages(_ subject: ImportSubject, _ records: Int) async throws {
    let counts = try await coordinator().startSync(.only(.importing)).report.classes["Note"]
    let done =
      switch subject {
      case .import: counts?.imported
      case .reread: counts?.unchanged
      case .update: counts?.updated
      }
    guard done == records else { throw Incomplete() }
  }

  /// A copy at another place; pages never change, so the copy shares them.
  func copied(to other: URL) throws -> ImportPlace {
    let files = FileManager.default
    try files.createDirectory(
      at: other.appending(path: "staging/Note"), withIntermediateDirectories: true)
    for name in try files.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
    where name != "staging" {
      try files.copyItem(at: folder.appending(path: name), to: other.appending(path: name))
    }
    let copy = ImportPlace(folder: other, server: server)
    for name in try files.contentsOfDirectory(atPath: pages.path(percentEncoded: false)) {
      try files.linkItem(at: pages.appending(path: name), to: copy.pages.appending(path: name))
    }
    return copy
  }

  func remove() throws { try FileManager.default.removeItem(at: folder) }

  struct Incomplete: Error {}
}
