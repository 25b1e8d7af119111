// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryModel
import FerryPlanning
import Foundation

extension FuzzTarget {
  /// The engine's notes on a listing read as they were written, and a damaged manifest of staged pages
  /// is discarded.
  static func checkCursor(_ bytes: Data) throws(BrokenLaw) {
    for line in bytes.split(separator: UInt8(ascii: "\n")).prefix(8) {
      let line = Data(line)
      if let cursor = try checkCoding(of: DownloadCursor.self, line) { try checkExtension(cursor) }
      try checkCoding(of: ListingKey.self, line)
      try checkCoding(of: Listing.self, line)
      try checkCoding(of: ListingSegment.self, line)
      try checkCoding(of: ListingPage.self, line)
      try checkCoding(of: ListingEnd.self, line)
      try checkNote(of: DownloadCursor.self, line)
      try checkNote(of: CompleteListing.self, line)
      try checkNote(of: RollingScan.self, line)
      try checkNote(of: RemovalTally.self, line)
    }
    try FuzzFolder.use { folder throws(BrokenLaw) in try checkStaging(bytes, in: folder) }
  }

  @discardableResult
  private static func checkCoding<Content: Codable & Equatable>(
    of type: Content.Type, _ line: Data
  ) throws(BrokenLaw) -> Content? {
    let text = String(decoding: line, as: UTF8.self)
    guard let content = try? StoredJSON.note(type, from: text) else { return nil }
    let written = try? StoredJSON.text(content)
    let again = written.flatMap { try? StoredJSON.note(type, from: $0) }
    try law(again == content, "\(content) becomes another by writing.")
    return content
  }

  private static func checkNote<Content: Note & Equatable>(
    of type: Content.Type, _ line: Data
  ) throws(BrokenLaw) {
    let text = String(decoding: line, as: UTF8.self)
    guard let content = try? JSONText.note(type, from: text) else { return }
    let again = try? JSONText.note(type, from: WireJSON.text(of: content))
    try law(again == content, "\(content) becomes another by writing.")
  }

  /// A later listing never moves the cursor back.
  private static func checkExtension(_ cursor: DownloadCursor) throws(BrokenLaw) {
    let bound = cursor.lowerBound(overlap: .seconds(90))
    let listed = cursor.extended(serverTimeLowerBound: nil, listed: cursor.newest)
    try law(
      listed.newest == cursor.newest && bound.map { $0 <= .latest } ?? true,
      "\(cursor) becomes \(listed).")
  }

  private static func checkStaging(_ manifest: Data, in folder: URL) throws(BrokenLaw) {
    let classFolder = folder.appending(path: "Game")
    do {
      let area = try StagingArea(folder: folder)
      try FileManager.default.createDirectory(at: classFolder, withIntermediateDirectories: true)
      try manifest.write(to: classFolder.appending(path: "manifest.jsonl"))
      guard let listing = try area.listing(of: "Game") else { return }
      _ = listing.isIntact(after: 0)
      for page in listing.pages(after: 0).prefix(8) { _ = try page.contents() }
      let isPlausible = listing.recordCount >= 0 && listing.lastPage == listing.entries.count
      guard isPlausible else { throw BrokenLaw("A listing has \(listing.recordCount) records.") }
    } catch let error as BrokenLaw {
      throw error
    } catch {
      try law(error is SyncError, "A manifest leads to the error \(error)")
    }
  }
}
