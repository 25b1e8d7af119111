// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation

/// A class's staged listing: its pages and whether it has come to its end.
struct StagedSummary: Sendable {
  var download: StagedDownload

  var lines: [String] {
    let state = download.isComplete ? "complete" : "not complete, the next sync continues"
    let pages = download.pages
    let records = pages.reduce(0) { $0 + $1.records }
    let head =
      "\(download.className): \(pages.count.counted("page", "pages")), "
      + "\(records.counted("record", "records")), \(state) (\(download.folder.filePath))"
    return [head]
      + pages.map {
        "  \($0.file.lastPathComponent)  \($0.records.counted("record", "records"))  \(ReportText.size($0.bytes))"
      }
  }

  var json: JSONMessage {
    JSONMessage(
      "listing",
      [
        "class": .string(download.className), "complete": .boolean(download.isComplete),
        "folder": .string(download.folder.filePath),
        "pages": .array(
          download.pages.map {
            [
              "file": .string($0.file.lastPathComponent), "records": .count($0.records),
              "bytes": .count($0.bytes),
            ]
          }),
      ])
  }
}
