// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

/// Looks for the records of new rows that the app inserted under ids of its own, before such a row is sent.
///
/// A server that chooses the ids would not refuse a second record of the row. The app may know the id of a
/// record that this store does not hold: one outside the class's filter, or one that another program named. The
/// row is then taken for that record, and the conflict policy merges the two.
struct NamedCreates {
  let context: StageContext
  /// The creates that were looked for in this run.
  private var asked: Set<RecordKey> = []

  init(context: StageContext) { self.context = context }

  /// Looks for the records of those creates that nobody has looked for.
  ///
  /// - Parameter entries: Unsent changes.
  /// - Returns: The creates that were looked for now, and those of them that must wait for the next run.
  /// - Throws: The error that ends the run.
  mutating func join(
    among entries: [OutboxEntry]
  ) throws(SyncError) -> (asked: Set<RecordKey>, failed: [RecordKey]) {
    let named = entries.filter { $0.isNamedByApp && !asked.contains($0.key) }
    guard !named.isEmpty, try context.state(.capabilities).allowsCustomIDs != true else {
      return ([], [])
    }
    asked.formUnion(named.map(\.key))
    var failed: [RecordKey] = []
    for (className, entries) in Dictionary(grouping: named, by: \.className)
      .sorted(by: { $0.key < $1.key })
    {
      guard let entity = context.schema.entity(className) else { continue }
      do {
        try join(entries, ClassContext(entity, in: context))
      } catch {
        let failure = try error.failure()
        // A class to which clients may only add is never asked.
        guard !failure.isForbidden else { continue }
        wait(entries, failure)
        failed += entries.map(\.key)
      }
    }
    return (Set(named.map(\.key)), failed)
  }

  private func join(_ entries: [OutboxEntry], _ context: ClassContext) throws(ClassError) {
    let found = try RecordLookup(context: context).rows(objectIDs: entries.map(\.objectID))
    guard !found.records.isEmpty || !found.failures.isEmpty else { return }
    let importer = try PageImporter(askedFor: .postCreated, in: context)
    let outcome = try context.write(.full, leavingOut: importer.refusals) {
      transaction throws(StoreError) in
      try transaction.fold()
      var outcome = ImportOutcome()
      try importer.importRecords(found.records, found.failures, into: transaction, &outcome)
      try transaction.outdateStagedPages(of: context.entity.name)
      return outcome
    }
    outcome.tell(context.stage, context.entity)
  }

  private func wait(_ entries: [OutboxEntry], _ failure: ClassFailure) {
    for entry in entries {
      context.ledger.act(
        SyncAction(
          .wait, in: .postCreated, className: entry.className, localID: entry.localID,
          objectID: entry.objectID,
          reason:
            "It could not be looked up whether the server has a record under this id. \(failure)"))
    }
  }
}

extension OutboxEntry {
  /// Whether it is a create that was never sent, under an id that Ferry did not mint.
  fileprivate var isNamedByApp: Bool {
    kind == .create && mayMove && attempts.isEmpty && permanentID != nil
  }
}
