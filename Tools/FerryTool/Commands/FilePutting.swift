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
      className: place.row.className, localID: place.row.localID, field: place.field, file: unsent)
    session.console.message(line.json)
    session.console.result("\(line.text). \"ferry sync\" sends it.")
    return .success
  }
}
