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
    let name = try session.command.namedRecord(configuration)
    let entity = configuration.schema.entities.first { $0.name == name.className }
    let fields = (entity?.fields ?? []).filter { $0.type == .file }.map(\.name)
    let asked = session.command.value(.field)
    guard !fields.isEmpty else {
      throw Failure(usage: "\(name.className) has no field for files. Nothing was fetched.")
    }
    guard let field = asked ?? (fields.count == 1 ? fields.first : nil) else {
      throw Failure(
        usage:
          "\(name.className) has \(fields.count.counted("field", "fields")) for files: \(fields.joined(separator: ", ")). "
          + "Nothing was fetched. Name one with --field.")
    }
    guard fields.contains(field) else {
      throw Failure(
        usage:
          "\(name.className) has no field \(field.quoted) for files, but \(fields.joined(separator: ", ")). "
          + "Nothing was fetched.")
    }
    let rows = try session.inspect(configuration) { store throws(StoreError) in
      try store.rows(of: name)
    }
    try name.checkIsOne(rows?.count ?? 0)
    guard let row = rows?.first else {
      throw Failure(
        usage:
          "\(name.className) has no row \(name.id.quoted) here. Nothing was fetched. \"ferry sync\" brings new records."
      )
    }
    guard case .file(let file) = row[field] else {
      throw Failure(
        usage: "The record has no file in \(field.quoted). Nothing was fetched.")
    }
    return file
  }

  private func fetch(
    _ file: File, _ configuration: SyncConfiguration
  ) async throws(Failure) -> KeptFile {
    let coordinator = try session.coordinator(
      configuration, in: session.workspace, classes: session.command.classNames)
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
