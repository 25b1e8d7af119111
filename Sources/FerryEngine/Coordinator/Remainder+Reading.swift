// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
package import FerryStore

extension SyncReader {
  /// The remainder of each class that is not in step.
  ///
  /// Ready changes do not count, because the next run sends them, but for those of a class that is not registered or
  /// that stages leave out.
  ///
  /// - Returns: The remainders by class; only classes that have one are there.
  /// - Throws: `StoreError` if the store cannot be read.
  package func remaining() throws(StoreError) -> [String: SyncReport.Remainder] {
    var remaining: [String: SyncReport.Remainder] = [:]
    // A kept row with an edit counts once.
    var kept: [String: Set<String>] = [:]
    for entity in schema.entities {
      kept[entity.name] = Set(try state(.keptRows(entity.name)).keys)
    }
    let counts = try outboxCounts()
    let leftOut = try counts.isEmpty ? [] : classesLeftOut()
    func isSent(_ className: String) -> Bool {
      schema.entity(className) != nil && !leftOut.contains(className)
    }
    let untouched = try forEachTouchedEntry(of: counts) { entry in
      let isCounted = remaining[entry.className, default: SyncReport.Remainder()]
        .count(entry, isClassSent: isSent(entry.className))
      if isCounted { kept[entry.className]?.remove(entry.objectID) }
    }
    for (className, count) in untouched where !isSent(className) {
      remaining[className, default: SyncReport.Remainder()].waiting += count
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
      let held = try heldRows(of: entity.name).count
      remaining[entity.name, default: SyncReport.Remainder()].held += held
      let waiting = kept[entity.name]?.count ?? 0
      remaining[entity.name, default: SyncReport.Remainder()].waiting += waiting
    }
    return remaining.filter { !$0.value.isEmpty }
  }
}

extension SyncReader {
  /// The earliest time from which a sync can move an unsent change, without any edit; nil for none.
  ///
  /// - Parameters:
  ///   - now: The present time.
  ///   - options: The options of syncs.
  /// - Returns: The time; `now` if a change is ready.
  /// - Throws: `StoreError` if the store cannot be read.
  func nextSync(
    at now: Timestamp, _ options: SyncOptions
  ) throws(StoreError) -> Timestamp? {
    var next: Timestamp?
    // Most syncs end without an unsent change, and then nobody asks for the classes.
    var leftOut: Set<String>?
    // Many changes may wait for one record.
    var awaited: [RecordKey: Bool] = [:]
    func isLeftOut(_ className: String) throws(StoreError) -> Bool {
      let classes: Set<String>
      if let leftOut { classes = leftOut } else { classes = try classesLeftOut() }
      leftOut = classes
      return classes.contains(className)
    }
    func note(_ entry: OutboxEntry) throws(StoreError) {
      guard schema.entity(entry.className) != nil else { return }
      var isAwaitedUnsent = false
      if let record = entry.awaitedRecord {
        if let known = awaited[record.key] {
          isAwaitedUnsent = known
        } else {
          isAwaitedUnsent = try isUnsent(record, of: entry)
          awaited[record.key] = isAwaitedUnsent
        }
      }
      let time = entry.wakeUp(
        at: now, maximumRequestDuration: options.maximumRequestDuration,
        isClassLeftOut: try isLeftOut(entry.className), isAwaitedUnsent: isAwaitedUnsent)
      if let time { next = min(next ?? time, time) }
    }
    guard try !hasUnfoldedEdits() else {
      try forEachPendingEntry(of: nil, note)
      return next
    }
    let untouched = try forEachTouchedEntry(of: outboxCounts(), note)
    for className in untouched.keys where schema.entity(className) != nil {
      let time = OutboxEntry.wakeUpOfUntouched(at: now, isClassLeftOut: try isLeftOut(className))
      next = min(next ?? time, time)
    }
    return next
  }

  /// Calls the closure with each entry that is not as folding makes them; returns the number of the others, by class.
  ///
  /// After many edits, these are nearly all, and all of a class mean the same here. So nobody reads them.
  private func forEachTouchedEntry(
    of counts: [String: Int], _ body: (OutboxEntry) throws(StoreError) -> Void
  ) throws(StoreError) -> [String: Int] {
    var untouched = counts
    guard !untouched.isEmpty else { return [:] }
    try forEachOutboxEntry(.touched) { entry throws(StoreError) in
      untouched[entry.className, default: 0] -= 1
      try body(entry)
    }
    return untouched.filter { $0.value > 0 }
  }

  /// The classes with changes that the next run cannot be expected to send.
  private func classesLeftOut() throws(StoreError) -> Set<String> {
    try classes { $0.failure != nil || $0.needsLoginToCreate }
  }

  /// Whether the record that a change waits for is still to be created.
  ///
  /// This program cannot send the record of a class that the schema leaves out. Another program may have.
  private func isUnsent(_ awaited: Waiting, of entry: OutboxEntry) throws(StoreError) -> Bool {
    guard schema.entity(awaited.className) != nil else {
      let row = try record(of: entry.className, localID: entry.localID)
      let ids = row?[awaited.field].pointers.map(\.objectID) ?? []
      return try !unsentRows(ofUnregistered: awaited.className, among: ids).isEmpty
    }
    let target = try record(of: awaited.className, localID: awaited.localID)
    if let target { return target.createdAt == nil }
    return try outboxEntries(of: awaited.className, localIDs: [awaited.localID])
      .contains { $0.kind == .deleteAfterCreate }
  }
}

extension Waiting {
  fileprivate var key: RecordKey { RecordKey(className: className, localID: localID) }
}

extension SyncReport.Remainder {
  /// - Returns: Whether the entry belongs to the remainder.
  fileprivate mutating func count(_ entry: OutboxEntry, isClassSent: Bool) -> Bool {
    switch entry.state {
    case .confirming: return false
    case .parked: parked += 1
    case .blocked(.confirmation): held += 1
    case .sending, .inDoubt, .blocked: waiting += 1
    case .ready:
      guard !isClassSent else { return false }
      waiting += 1
    }
    return true
  }
}
