// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

/// Stops watching attempts that timed out, once none of them can take effect any more.
///
/// After the maximum request duration, the engine looks the record up. If the record shows the
/// values sent last, the entry is done. If it shows an older value of this device, a late commit
/// overtook the newer one, and the newer one is sent again. Of a create that was sent again, the engine
/// also looks for a second record, and joins the two.
struct LateAttempts {
  let context: StageContext

  /// Confirms what can be; entries whose class cannot be asked wait for the next sync.
  func confirm() throws(SyncError) {
    let now = context.environment.now()
    var last: RecordKey?
    while true {
      let page = try context.read { reader throws(StoreError) in
        try reader.outbox(.confirming, of: nil, after: last, limit: OutboxPage.size)
      }
      guard let newest = page.last else { return }
      last = newest.key
      let due = page.filter { entry in
        // A listing shows such a record as soon as it is there again.
        let duration =
          entry.hasIncrementsSetAside
          ? OutboxEntry.timeForUndo : context.options.maximumRequestDuration
        return entry.isOver(at: now, maximumRequestDuration: duration)
      }
      try confirm(due, askedAt: now)
    }
  }

  private func confirm(_ due: [OutboxEntry], askedAt: Timestamp) throws(SyncError) {
    for (className, entries) in Dictionary(grouping: due, by: \.className) {
      guard let entity = context.schema.entity(className) else { continue }
      do {
        try confirm(entries, ClassContext(entity, in: context), askedAt: askedAt)
      } catch {
        wait(entries, try error.failure())
      }
    }
  }

  private func wait(_ entries: [OutboxEntry], _ failure: ClassFailure) {
    for entry in entries {
      context.ledger.act(
        SyncAction(
          .wait, in: entry.kind.stage, className: entry.className, localID: entry.localID,
          objectID: entry.objectID,
          reason: "It could not be looked up whether a late attempt changed the record. \(failure)")
      )
    }
  }

  private func confirm(
    _ entries: [OutboxEntry], _ context: ClassContext, askedAt: Timestamp
  ) throws(ClassError) {
    let entity = context.entity
    let lookup = RecordLookup(context: context)
    let records = try lookup.records(objectIDs: entries.map(\.lookupID))
    let ofCreates = try lookup.records(clientKeys: entries.compactMap(\.duplicateKey))
    let found = Dictionary(
      (records + ofCreates).map { ($0.objectID, $0) }, uniquingKeysWith: { first, _ in first })
    let known = Set(entries.map(\.lookupID))
    let duplicates = ofCreates.filter { !known.contains($0.objectID) }
    let importer = try PageImporter(askedFor: .postCreated, in: context)
    let outcome = try context.write(.full, leavingOut: importer.refusals) {
      transaction throws(StoreError) in
      try transaction.fold()
      var outcome = ImportOutcome()
      // Before the entries end, because they know which values came late.
      if !duplicates.isEmpty {
        try importer.importRecords(duplicates, [], into: transaction, &outcome)
      }
      if !found.isEmpty { try transaction.outdateStagedPages(of: entity.name) }
      for var entry in try transaction.entries(entries.map(\.key)).values
      where entry.state == .confirming {
        let isDone: Bool
        if let record = found[entry.lookupID], !entry.isOutlived(by: record.createdAt),
          !entry.isDeleted(by: record, of: entity)
        {
          // A pair that the app took back is named only now that the server has it.
          if entity.membership != nil { entry.rename(to: record.objectID) }
          isDone = entry.confirm(
            remote: record.contents(of: entity), createdAt: record.createdAt,
            listingStartedAt: askedAt,
            maximumRequestDuration: context.options.maximumRequestDuration,
            duplicatesSought: true)
        } else {
          let row = try transaction.record(of: entry.className, localID: entry.localID)
          isDone = entry.confirmAbsent(
            listingStartedAt: askedAt,
            maximumRequestDuration: context.options.maximumRequestDuration,
            duplicatesSought: true, current: row?.contents)
          // Otherwise the sync would remove the row as one that is missing on the server.
          if entry.kind == .create, let row, row.createdAt != nil {
            try transaction.recreate(row.unknownToServer)
          }
        }
        try transaction.keep(entry, isDone: isDone)
      }
      return outcome
    }
    outcome.tell(context.stage, entity)
  }
}

extension OutboxEntry {
  /// Whether the record carries the mark of deletion, as the app wanted.
  fileprivate func isDeleted(by record: ServerRecord, of entity: Entity) -> Bool {
    switch kind {
    case .delete, .deleteAfterCreate: entity.isFlagged(record)
    case .create, .update: false
    }
  }
}
