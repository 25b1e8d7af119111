// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// A file that the server keeps, or may keep, and that no record names, on one line.
struct LostUploadLine: Sendable {
  var lost: LostUpload

  var text: String {
    let head = "\(lost.file.name.printableLine): \(ReportText.size(lost.file.bytes)), "
    guard let name = lost.serverName else {
      return head + "sent without an answer, last at \(lost.time); the server may keep "
        + lost.count.counted("copy", "copies") + " under a name that nobody knows"
    }
    let cause = lost.reason == .replaced ? "replaced" : "edited while it was sent"
    return head
      + "\(cause) at \(lost.time), and on the server as \(name.printableLine); a sync with the master key removes it"
      + (lost.reason == .replaced ? " a week later" : "")
  }

  var json: JSONMessage {
    JSONMessage(
      "lost_upload",
      [
        "name": .string(lost.file.name), "bytes": .count(lost.file.bytes),
        "sha256": .string(lost.file.sha256), "count": .count(lost.count),
        "reason": .string(lost.reason.rawValue), "time": .string(lost.time.description),
      ]
    ).with("server_name", lost.serverName.map { .string($0) })
  }
}
