// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

// Records that cannot be imported go into quarantine once, and are tried again when they or the
// schema change.
extension ImportPlanner {
  package func planQuarantine(_ situation: ImportSituation, _ plan: inout ImportPlan) {
    var readable = situation.records
    let reading = situation.failures.isEmpty ? "" : entity.readingFingerprint
    for failure in situation.failures {
      if let record = failure.markedAsDeleted, planMarked(record, situation, &plan) {
        readable.append(record)
      } else {
        setAside(failure, read: reading, situation, &plan)
      }
    }
    guard !situation.quarantined.isEmpty else { return }
    plan.cured = readable.map(\.objectID).filter { situation.quarantined[$0] != nil }
  }

  /// A record that is marked as deleted, and of which a value cannot be read.
  ///
  /// A deletion needs no values. An edit that takes the mark back needs them, because the record stays.
  ///
  /// - Returns: Whether the record is deleted.
  private func planMarked(
    _ record: ServerRecord, _ situation: ImportSituation, _ plan: inout ImportPlan
  ) -> Bool {
    guard situation.rows[record.objectID] != nil, var entry = situation.entries[record.objectID],
      let mark = markToTakeBack(by: entry)
    else {
      planRecord(record, situation, &plan)
      return true
    }
    if !entry.changed.contains(mark) {
      entry.takeBack(mark: mark)
      plan.entries.append(entry)
    }
    return false
  }

  private func setAside(
    _ failure: RecordFailure, read fingerprint: String, _ situation: ImportSituation,
    _ plan: inout ImportPlan
  ) {
    let record = quarantined(failure, read: fingerprint)
    if let known = situation.quarantined[record.objectID], known.isSame(as: record) { return }
    plan.setAside.append(record)
    plan.actions.append(
      SyncAction(
        .quarantine, in: stage, className: entity.name, objectID: failure.objectID,
        reason: failure.reason))
  }

  private func quarantined(
    _ failure: RecordFailure, read fingerprint: String
  ) -> QuarantinedRecord {
    let text = String(decoding: failure.json, as: UTF8.self)
    return QuarantinedRecord(
      className: entity.name,
      objectID: failure.objectID ?? QuarantinedRecord.name(ofRecordWithoutID: text),
      version: failure.version, createdAt: failure.createdAt, raw: text, reason: failure.reason,
      schemaFingerprint: failure.isRefusedByStore
        ? QuarantinedRecord.refusedFingerprint : fingerprint)
  }
}

extension QuarantinedRecord {
  /// The key of a record without an id, so that it is quarantined only once.
  package static func name(ofRecordWithoutID text: String) -> String {
    "without-id-\(Checksum.text(of: text.utf8))"
  }

  /// Whether another attempt would fail in the same way.
  fileprivate func isSame(as other: QuarantinedRecord) -> Bool {
    version == other.version && schemaFingerprint == other.schemaFingerprint
      && (version != nil || raw == other.raw)
      && (!isRefusedByStore || reason == other.reason)
  }
}

extension Entity {
  /// A fingerprint of everything that decides whether a record can be read.
  package var readingFingerprint: String {
    let declared = fields.map { "\($0.name):\($0.type)" }.sorted().joined(separator: ",")
    return serializer.map { "\(declared);\(type(of: $0))" } ?? declared
  }
}
