// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
package import FerryStore

extension SyncReader {
  /// The remainder of each class that is not in step.
  ///
  /// Ready changes of registered classes do not count: the next run sends them.
  package func remaining() throws(StoreError) -> [String: SyncReport.Remainder] {
    var remaining: [String: SyncReport.Remainder] = [:]
    try forEachOutboxEntry { entry in
      let isRegistered = schema.entity(entry.className) != nil
      remaining[entry.className, default: SyncReport.Remainder()]
        .count(entry, isRegistered: isRegistered)
    }
    let unfolded = try unfoldedRowCounts()
    for (className, count) in unfolded.classes {
      remaining[className, default: SyncReport.Remainder()].waiting += count
    }
    for (className, count) in unfolded.rowsByFields {
      remaining[className, default: SyncReport.Remainder()].waiting += count
    }
    for record in try quarantine(of: nil) where schema.entity(record.className) != nil {
      remaining[record.className, default: SyncReport.Remainder()].quarantined += 1
    }
    for entity in schema.entities {
      let held = try state(.heldRemovals(entity.name)).count
      remaining[entity.name, default: SyncReport.Remainder()].held += held
    }
    return remaining.filter { !$0.value.isEmpty }
  }
}

extension SyncReader {
  /// The earliest time from which a sync can move an unsent change, without any edit; nil for none.
  func nextSync(at now: Timestamp, _ options: SyncOptions) throws(StoreError) -> Timestamp? {
    var next: Timestamp?
    try forEachPendingEntry(of: nil) { entry in
      guard schema.entity(entry.className) != nil,
        let time = entry.wakeUp(
          at: now, maximumRequestDuration: options.maximumRequestDuration)
      else { return }
      next = min(next ?? time, time)
    }
    return next
  }
}

extension SyncReport.Remainder {
  fileprivate mutating func count(_ entry: OutboxEntry, isRegistered: Bool) {
    switch entry.state {
    case .confirming: break
    case .parked: parked += 1
    case .blocked(.confirmation): held += 1
    case .sending, .inDoubt, .blocked: waiting += 1
    // No run sends a change of a class that is not registered.
    case .ready: waiting += isRegistered ? 0 : 1
    }
  }
}
