// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation

/// `ferry files get`: brings the file of a record's field.
struct FileGetting {
  var session: Session

  private var console: Console { session.console }

  func run() async throws(Failure) -> ExitCode {
    let configuration = try session.configuration()
    let file = try file(configuration)
    let copy = session.command.value(.out).map { FileCopy(to: $0) }
    try copy?.check()
    let kept = try await fetch(file, configuration)
    try copy?.make(of: kept.url)
    let path = copy?.target.filePath
    console.message(
      FileLine(file: kept).json("file").with("copy", path.map { .string($0) }))
    console.result(path ?? kept.url.filePath)
    return .success
  }

  /// The file that the flags name.
  private func file(_ configuration: SyncConfiguration) throws(Failure) -> File {
    let place = try FilePlace(session, configuration, fate: "Nothing was fetched.")
    guard case .file(let file) = place.row[place.field] else {
      throw Failure(
        usage: "The record has no file in \(place.field.quoted). Nothing was fetched.")
    }
    return file
  }

  private func fetch(
    _ file: File, _ configuration: SyncConfiguration
  ) async throws(Failure) -> KeptFile {
    let coordinator = try session.coordinator(
      configuration, in: session.workspace, classes: session.command.classNames,
      announces: !file.name.hasPrefix("unsent:"))
    session.interruption.watch()
    let fetch = coordinator.startFetching(file)
    session.interruption.onInterruption { fetch.cancel() }
    for await progress in fetch.progress {
      let total = progress.total.map { " of \(ReportText.size($0))" } ?? ""
      console.progress("\(file.name.printableLine): \(ReportText.size(progress.done))\(total)")
    }
    console.clearProgress()
    do {
      return try await fetch.file
    } catch {
      throw Failure(error)
    }
  }
}
