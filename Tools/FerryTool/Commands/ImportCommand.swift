// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation

/// `ferry import`: brings the objects of another library's files into the store.
struct ImportCommand {
  /// The form of the files.
  enum Form: String, CaseIterable, Sendable {
    case parseLocalDatastore = "parse-ios-lds"
    case json
  }

  var session: Session

  private var console: Console { session.console }

  func run() async throws(Failure) -> ExitCode {
    let (form, files) = try source()
    let configuration = try session.configuration()
    session.interruption.watch()
    let isDryRun = session.command.has(.dryRun)
    let place = try isDryRun ? PlanningPlace(session.workspace) : nil
    defer { place?.leave() }
    let coordinator = try session.coordinator(
      configuration, in: place?.workspace ?? session.workspace, announces: false)
    let task = Task {
      () async -> Result<ObjectImportReport, SyncError> in
      do throws(SyncError) {
        switch form {
        case .parseLocalDatastore:
          return .success(try await importing(ParseLocalDatastore(at: files[0]), by: coordinator))
        case .json: return .success(try await importing(JSONExport(files: files), by: coordinator))
        }
      } catch {
        return .failure(error)
      }
    }
    session.interruption.onInterruption { task.cancel() }
    switch await task.value {
    case .success(let report): return show(ImportText(report: report, isDryRun: isDryRun))
    case .failure(let error): throw Failure(error)
    }
  }

  private func importing(
    _ source: some ObjectSource, by coordinator: SyncCoordinator
  ) async throws(SyncError) -> ObjectImportReport {
    session.command.has(.dryRun)
      ? try await coordinator.planImport(of: source)
      : try await coordinator.importObjects(from: source)
  }

  private func source() throws(Failure) -> (Form, [URL]) {
    let command = session.command
    guard let form = command.value(.from).flatMap(Form.init) else {
      throw Failure(
        usage:
          "ferry import needs --from parse-ios-lds or --from json. Nothing was imported.")
    }
    guard form == .json || command.operands.count == 1 else {
      throw Failure(usage: "--from \(form.rawValue) takes one file. Nothing was imported.")
    }
    return (form, command.operands.map { URL(filePath: $0) })
  }

  private func show(_ text: ImportText) -> ExitCode {
    for message in text.messages { console.message(message) }
    console.result(text.lines.joined(separator: "\n"))
    return text.report.leftOut.isEmpty ? .success : .partial
  }
}
