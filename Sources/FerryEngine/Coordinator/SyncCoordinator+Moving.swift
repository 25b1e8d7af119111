// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
import FerryPlanning

extension SyncCoordinator {
  /// Brings the objects of another library into the store, with their unsent changes.
  ///
  /// ```swift
  /// let old = ParseLocalDatastore(at: folder.appending(path: "ParseOfflineStore"))
  /// let report = try await coordinator.importObjects(from: old)
  /// for left in report.leftOut { print(left.className, left.field ?? "", left.reason.rawValue, left.count) }
  /// ```
  ///
  /// A record becomes a row as if a sync had brought it: the next sync asks the server for newer versions. A new object
  /// becomes a new row, and unsent edits and deletes become edits of the app, which the next sync sends.
  ///
  /// It imports nothing twice: a row that is here stays as it is, and gets the unsent edits of its object once. A row
  /// with unsent edits of its own is left alone. The source is only read. If the import is interrupted, begin it again.
  ///
  /// It asks no server. While a run of this coordinator goes on, it waits for its end. Any thread may call it.
  ///
  /// - Parameter source: The objects, such as a `ParseLocalDatastore`.
  /// - Returns: The counts, and what was left out with the reason.
  /// - Throws: `SyncError` with code `malformedData` for a source that is damaged or of another kind, `localStorage` if a
  ///   file cannot be read or written, `busy` if another process syncs the store, and `cancelled` if the task is
  ///   cancelled. Rows that came before are kept.
  public func importObjects(
    from source: some ObjectSource
  ) async throws(SyncError) -> ObjectImportReport {
    try await run(ObjectImportStage(source: source), onCopies: false)
  }

  /// Says what an import would do, and changes nothing.
  ///
  /// It runs the import beside the store, as `startPlan` runs a sync.
  ///
  /// - Parameter source: The objects.
  /// - Returns: The report that `importObjects(from:)` would give now.
  /// - Throws: `SyncError`, as `importObjects(from:)`.
  public func planImport(of source: some ObjectSource) async throws(SyncError) -> ObjectImportReport
  {
    try await run(ObjectImportStage(source: source), onCopies: true)
  }

  private func run(
    _ stage: ObjectImportStage, onCopies: Bool
  ) async throws(SyncError) -> ObjectImportReport {
    let request = SyncRequest(selection: .only(.importing))
    let run = begin(newRun(), request, uniting: false) { [queue] session in
      if onCopies {
        session.beginPlanOutsideSync(stage, on: queue)
      } else {
        session.beginOutsideSync(stage, asksServer: false, on: queue)
      }
    }
    if case .failure(let error) = await run.resultOrCancelled() { throw error }
    return run.ledger.objectImport ?? ObjectImportReport()
  }
}
