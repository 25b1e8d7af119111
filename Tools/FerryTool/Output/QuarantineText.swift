// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// A record in quarantine, and why it is there.
struct QuarantineText: Sendable {
  var record: QuarantinedRecord

  var line: String { "\(record.className) \(record.objectID): \(record.reason)" }

  /// The same, with what the server sent.
  var linesWithRecord: [String] {
    let version = record.version.map { ["    version \($0.rawValue)"] } ?? []
    return [line] + version + ["    \(record.raw)"]
  }

  var json: JSONMessage {
    JSONMessage(
      "quarantined",
      [
        "class": .string(record.className), "object_id": .string(record.objectID),
        "version": record.version.map { .string($0.rawValue) } ?? .null,
        "reason": .string(record.reason), "refused": .boolean(record.isRefusedByStore),
      ])
  }

  var jsonWithRecord: JSONMessage { json.with("raw", .string(record.raw)) }
}
