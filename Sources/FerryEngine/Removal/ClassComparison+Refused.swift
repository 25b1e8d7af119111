// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

extension ClassComparison {
  /// Fetches the records that the store refused before and would take now.
  ///
  /// A rule that another program adds to a table may go, or depend on other rows, and nobody says when. So each
  /// sync tries such records with what it kept of them, and asks the server for those that pass.
  ///
  /// - Parameter setAside: The class's records in quarantine.
  /// - Throws: A request fails, or the store cannot be read or written.
  func fetchRefused(among setAside: [QuarantinedRecord]) throws(ClassError) {
    let refused = setAside.filter(\.isRefusedByStore)
    guard !refused.isEmpty else { return }
    let importer = try PageImporter(askedFor: .deleteMissing, in: context)
    var taken: Set<String> = []
    for record in refused where try takes(record, importer) { taken.insert(record.objectID) }
    try fetch(taken)
  }

  /// Whether the store would take a record now; changes nothing.
  private func takes(
    _ record: QuarantinedRecord, _ importer: PageImporter
  ) throws(ClassError) -> Bool {
    var isTaken = false
    do throws(SyncError) {
      try context.stage.write(.normal) { transaction throws(StoreError) in
        try transaction.fold()
        isTaken = try importer.takes(record, in: transaction)
        throw StoreError(.database, "Only a trial.", cause: Trial())
      }
    } catch {
      let cause = (error.cause as? StoreError)?.cause
      if cause is Trial || error.refusal != nil { return isTaken }
      throw .endsRun(error)
    }
    return isTaken
  }

  /// Takes back the transaction of a trial.
  private struct Trial: Error {}
}
