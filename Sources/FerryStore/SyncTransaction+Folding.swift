// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning

extension SyncReader {
  /// Folds rows of the log in memory, with replaced ids translated.
  func translatedFolding(of log: [LogRow]) throws -> (
    outcome: ChangeFolding.Outcome, translated: [Record]
  ) {
    var entries: [OutboxEntry] = []
    var records: [Record] = []
    for (className, rows) in Dictionary(grouping: log, by: \.className) {
      let localIDs = Set(rows.map(\.localID)).sorted()
      let present = try self.records(of: className, localIDs: localIDs)
      let objectIDs = Set(present.map(\.objectID) + rows.compactMap(\.goneObjectID)).sorted()
      let found = try outboxEntries(of: className, localIDs: localIDs)
      let keys = Set(found.map(\.localID))
      entries += found
      entries += try outboxEntries(of: className, objectIDs: objectIDs)
        .filter { !keys.contains($0.localID) }
      records += present
    }
    var ids = records.reduce(into: Set<String>()) { $0.formUnion($1.fields.mintedPointerIDs) }
    for row in log { ids.formUnion(row.oldFields?.mintedPointerIDs ?? []) }
    let aliases = try ids.isEmpty ? [:] : aliases(of: ids.sorted())
    guard !aliases.isEmpty else {
      return (ChangeFolding.fold(log, into: entries, records: records), [])
    }
    let translated = records.compactMap { record -> Record? in
      var record = record
      record.fields = record.fields.replacedPointers { aliases[$0.objectID] }
      return record.fields.isEmpty ? nil : record
    }
    for index in records.indices {
      records[index].fields = records[index].fields.replacingPointers { aliases[$0.objectID] }
    }
    let rows = log.map { $0.replacingPointers { aliases[$0.objectID] } }
    return (ChangeFolding.fold(rows, into: entries, records: records), translated)
  }
}

extension SyncTransaction {
  /// Folds the app's edits since the last time into the outbox.
  ///
  /// Every transaction that writes rows or names them does so first: what an import overwrites
  /// could not be told from what the app destroyed afterwards. Pointers that hold an id which the
  /// server has replaced since are set right on the way.
  package func fold(batchSize: Int = foldingBatchSize) throws {
    let last = try lastToken()
    guard last > (try foldedThrough()) else { return }
    for batch in try unfoldedBatches(of: nil, size: batchSize).batches {
      try fold(log(at: batch.map(\.token)))
    }
    try setFoldedThrough(last)
  }

  private func fold(_ log: [LogRow]) throws {
    let (outcome, translated) = try translatedFolding(of: log)
    for record in translated {
      try set(record.fields, of: record.className, localID: record.localID)
    }
    for key in outcome.removed {
      try removeOutboxEntry(of: key.className, localID: key.localID)
    }
    for entry in outcome.entries { try put(entry) }
    for record in outcome.reinserted { try adopt(record) }
    for pointer in outcome.withdrawn {
      try noteWithdrawn(pointer.objectID, of: pointer.className)
    }
  }

  /// Gives a row that the app inserted again the server's identity and version of its record.
  private func adopt(_ known: Record) throws {
    guard let entity = schema.entity(known.className), let createdAt = known.createdAt,
      let row = try record(of: known.className, localID: known.localID)
    else { return }
    let values = entity.fields.map { row[$0.name] }
    try apply(
      [
        ImportRow(
          localID: known.localID, objectID: known.objectID, createdAt: createdAt,
          version: known.version, acl: known.acl, values: values)
      ], to: known.className)
  }
}

extension LogRow {
  /// The object id of a row that is gone, or that a delete removed.
  fileprivate var goneObjectID: String? {
    switch kind {
    case .insert, .update: nil
    case .delete(let old): old.objectID
    }
  }

  fileprivate var oldFields: Fields? {
    switch kind {
    case .insert: nil
    case .update(let old): old
    case .delete(let old): old.fields
    }
  }

  fileprivate func replacingPointers(_ newObjectID: (Pointer) -> String?) -> LogRow {
    var row = self
    switch kind {
    case .insert: break
    case .update(let old): row.kind = .update(old: old.replacingPointers(newObjectID))
    case .delete(var old):
      old.fields = old.fields.replacingPointers(newObjectID)
      row.kind = .delete(old: old)
    }
    return row
  }
}
