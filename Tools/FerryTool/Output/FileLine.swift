// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// A file that is kept, on one line.
struct FileLine: Sendable {
  var file: KeptFile

  /// The name, the size, and when it was last asked for.
  var text: String {
    "\(file.name.printableLine): \(ReportText.size(file.bytes)), used \(file.lastUse)"
  }

  func json(_ type: String) -> JSONMessage {
    JSONMessage(
      type,
      [
        "name": .string(file.name), "bytes": .count(file.bytes), "sha256": .string(file.sha256),
        "path": .string(file.url.filePath), "last_use": .string(file.lastUse.description),
      ])
  }
}
