// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

/// Stops watching attempts that timed out, once none of them can take effect any more.
///
/// After the maximum request duration, the engine looks the record up. If the record shows the
/// values sent last, the entry is done. If it shows an older value of this device, a late commit
/// overtook the newer one, and the newer one is sent again.
struct LateAttempts {
  let context: StageContext

  /// Confirms what can be; entries whose class cannot be asked wait for the next sync.
  func confirm() throws(SyncError) {
    let now = context.environment.now()
    var last: RecordKey?
    while true {
      let page = try context.read { try $0.outbox(of: nil, after: last, limit: OutboxPage.size) }
      guard let newest = page.last else { return }
      last = newest.key
      try confirm(page.filter { $0.state == .confirming && isOver($0, at: now) }, askedAt: now)
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

  private func isOver(_ entry: OutboxEntry, at now: Timestamp) -> Bool {
    entry.attempts.allSatisfy {
      $0.isOver(at: now, maximumRequestDuration: context.options.maximumRequestDuration)
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
    let records = try RecordLookup(context: context).records(objectIDs: entries.map(\.objectID))
    let found = Dictionary(
      records.map { ($0.objectID, $0) }, uniquingKeysWith: { first, _ in first })
    try context.write(.full) { transaction in
      try transaction.fold()
      for var entry in try transaction.entries(entries.map(\.key)).values
      where entry.state == .confirming {
        let isDone: Bool
        if let record = found[entry.objectID], !entry.isOutlived(by: record.createdAt) {
          isDone = entry.confirm(
            remote: record.fields(of: entity), createdAt: record.createdAt,
            listingStartedAt: askedAt,
            maximumRequestDuration: context.options.maximumRequestDuration)
        } else {
          isDone = entry.confirmAbsent(
            listingStartedAt: askedAt,
            maximumRequestDuration: context.options.maximumRequestDuration,
            current: try transaction.rows([entry.key])[entry.key]?.fields)
        }
        try transaction.keep(entry, isDone: isDone)
      }
    }
  }
}
