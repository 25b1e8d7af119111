// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// Imports records that were asked for outside of any listing.
struct RecordImport {
  let context: ClassContext
  /// The stage that plans name for it.
  var stage = StageName.importing

  /// Writes records as an import does: own edits are merged, conflicts recorded, unreadable records set aside.
  ///
  /// The cursor of the class stays where it is.
  func take(_ records: [ServerRecord], _ failures: [RecordFailure]) throws(ClassError) {
    guard !records.isEmpty || !failures.isEmpty else { return }
    let entity = context.entity
    let importer = try PageImporter(askedFor: stage, in: context)
    let outcome = try context.write(.full, leavingOut: importer.refusals) {
      transaction throws(StoreError) in
      try transaction.fold()
      var outcome = ImportOutcome()
      try importer.importRecords(records, failures, into: transaction, &outcome)
      try transaction.outdateStagedPages(of: entity.name)
      if entity.isOnDemand {
        try transaction.change(.classState(entity.name)) { $0.noteFetch(of: entity) }
      }
      return outcome
    }
    outcome.tell(context.stage, entity)
  }
}

extension ClassState {
  /// Notes with which fields the first rows of a class came that no sync lists.
  mutating func noteFetch(of entity: Entity) {
    let declared = Set(entity.fields.map(\.name))
    if listedFields == nil { listedFields = declared }
    if unknownFields(of: entity).isEmpty { everListedFields.formUnion(declared) }
  }
}
