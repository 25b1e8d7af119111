// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation

/// `ferry files put`: gives a file to a field of a row; the next sync sends it.
struct FilePutting {
  var session: Session

  func run() throws(Failure) -> ExitCode {
    let configuration = try session.configuration()
    guard let path = session.command.secondOperand else {
      throw Failure(
        usage:
          "ferry files put needs the PATH of a file, --class NAME and --id ID. Nothing was changed."
      )
    }
    let place = try FilePlace(session, configuration, fate: "Nothing was changed.")
    let store = try session.writableStore(configuration, in: session.workspace)
    let file: File
    do {
      file = try FileCache(at: session.workspace.files).newFile(contentsOf: URL(filePath: path))
    } catch {
      throw Failure(error)
    }
    do {
      try store.write { transaction throws(StoreError) in
        try transaction.update(place.row.reference, [place.field: .file(file)])
      }
    } catch {
      throw Failure(error)
    }
    guard let unsent = file.unsent else { return .success }
    let line = NewFileLine(
      className: place.row.className, localID: place.row.localID, field: place.field, file: unsent,
      state: try state(of: place.row, configuration))
    session.console.message(line.json)
    session.console.result("\(line.text). \(nextStep(line))")
    return .success
  }

  /// How far the change of a row is; an equal file is no edit, so an earlier refusal stays.
  private func state(
    of row: Record, _ configuration: SyncConfiguration
  ) throws(Failure) -> PendingChange.State {
    let changes = try session.inspect(configuration) { store throws(StoreError) in
      try store.pendingChanges(of: row.className)
    }
    return changes?.first { $0.localID == row.localID }?.state ?? .ready
  }

  private func nextStep(_ line: NewFileLine) -> String {
    if line.state == .parked {
      return
        "Its change is parked, because the row has had this file before: \"ferry outbox\" says why, and \"ferry outbox retry "
        + "--class \(line.className) --id \(line.localID)\" lets the next sync send it again."
    }
    let limit = SyncOptions().largestUpload
    guard line.file.bytes > limit else { return "\"ferry sync\" sends it." }
    let megabytes = (line.file.bytes + 999_999) / 1_000_000
    return
      "A sync sends files of \(ReportText.size(limit)) by default, as a Parse Server takes them. If the server takes more, "
      + "\"ferry sync --max-upload \(megabytes)MB\" sends it."
  }
}
