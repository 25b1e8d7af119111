// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

// Records that cannot be imported go into quarantine once, and are tried again when they or the
// schema change.
extension ImportPlanner {
  package func planQuarantine(_ situation: ImportSituation, _ plan: inout ImportPlan) {
    if !situation.quarantined.isEmpty {
      plan.cured = situation.records.map(\.objectID).filter { situation.quarantined[$0] != nil }
    }
    for failure in situation.failures {
      let record = quarantined(failure)
      if let known = situation.quarantined[record.objectID], known.isSame(as: record) { continue }
      plan.setAside.append(record)
      plan.actions.append(
        SyncAction(
          .quarantine, in: stage, className: entity.name, objectID: failure.objectID,
          reason: failure.reason))
    }
  }

  private func quarantined(_ failure: RecordFailure) -> QuarantinedRecord {
    let text = String(decoding: failure.json, as: UTF8.self)
    return QuarantinedRecord(
      className: entity.name,
      objectID: failure.objectID ?? QuarantinedRecord.name(ofRecordWithoutID: text),
      version: failure.version, createdAt: failure.createdAt, raw: text, reason: failure.reason,
      schemaFingerprint: entity.readingFingerprint)
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
  }
}

extension Entity {
  /// A fingerprint of everything that decides whether a record can be read.
  package var readingFingerprint: String {
    let declared = fields.map { "\($0.name):\($0.type)" }.sorted().joined(separator: ",")
    return serializer.map { "\(declared);\(type(of: $0))" } ?? declared
  }
}
