// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// A new file in a field of a row, on one line.
struct NewFileLine: Sendable {
  var className: String
  var localID: LocalID
  var field: String
  var file: UnsentFile
  /// How far the change is that sends it.
  var state = PendingChange.State.ready

  /// The name, the size, and where it is.
  var text: String {
    "\(file.name): \(ReportText.size(file.bytes)), new in \(field) of \(className) #\(localID)"
  }

  var json: JSONMessage {
    JSONMessage(
      "new_file",
      [
        "name": .string(file.name), "bytes": .count(file.bytes), "sha256": .string(file.sha256),
        "type": .string(file.type), "class": .string(className),
        "local_id": .integer(localID.rawValue), "field": .string(field),
        "state": .string(state.rawValue),
      ])
  }
}
