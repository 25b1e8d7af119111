// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryModel
import FerryPlanning
import Foundation

/// A class's staged listing: its pages and whether it has come to its end.
struct StagedSummary: Sendable {
  struct Page: Sendable, Equatable {
    var file: String
    var records: Int
    var bytes: Int
  }

  var className: String
  var isComplete: Bool
  var folder: String
  var pages: [Page]

  init(className: String, isComplete: Bool, folder: String, pages: [Page]) {
    self.className = className
    self.isComplete = isComplete
    self.folder = folder
    self.pages = pages
  }

  init(_ listing: StagedListing) {
    self.init(
      className: listing.className, isComplete: listing.isComplete,
      folder: listing.folder.filePath,
      pages: listing.pages(after: 0).map {
        Page(file: $0.file.lastPathComponent, records: $0.entry.records, bytes: $0.entry.bytes)
      })
  }

  var lines: [String] {
    let state = isComplete ? "complete" : "not complete, the next sync continues"
    let records = pages.reduce(0) { $0 + $1.records }
    let head =
      "\(className): \(pages.count.counted("page", "pages")), "
      + "\(records.counted("record", "records")), \(state) (\(folder))"
    return [head]
      + pages.map {
        "  \($0.file)  \($0.records.counted("record", "records"))  \(ReportText.size($0.bytes))"
      }
  }

  var json: JSONMessage {
    JSONMessage(
      "listing",
      [
        "class": .string(className), "complete": .boolean(isComplete), "folder": .string(folder),
        "pages": .array(
          pages.map {
            [
              "file": .string($0.file), "records": .count($0.records), "bytes": .count($0.bytes),
            ]
          }),
      ])
  }
}
