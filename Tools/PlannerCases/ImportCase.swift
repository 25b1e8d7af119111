// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import Foundation
import Randomness

/// A record on a page, and what the device holds of it.
struct ImportCase {
  private static let flag = "isRemoved"
  private static let plain = MergeCase.entity
  private static let filtered: Entity = {
    var entity = plain
    entity.recordFilter = .field("f", .greaterThanOrEqual, .integer(1))
    return entity
  }()
  private static let soft = Entity(
    "Game", fields: plain.fields + [Field(flag, .boolean)]
  ).deletions(.softDelete(field: flag))

  private let planner: ImportPlanner
  private let record: ServerRecord
  /// The row and the unsent change of the record; each is nil where there is none.
  private let row: Record?
  private let entry: OutboxEntry?
  private let failures: [RecordFailure]

  static func check(_ chance: inout SeededGenerator) throws(BrokenLaw) {
    let page = ImportCase(&chance)
    let plan = page.planner.plan(page.situation(page.row, page.entry, quarantined: [:]))
    try page.checkFate(plan)
    try page.checkEdits(plan)
    try page.checkServer(plan)
    try page.checkAgain(plan)
  }

  private init(_ chance: inout SeededGenerator) {
    let entity = chance.pick([Self.plain, Self.filtered, Self.soft])
    let base = GeneratedFields.make(&chance)
    let isOther = chance.one(in: 8)
    var remote = chance.one(in: 4) ? base : GeneratedFields.make(&chance)
    if chance.one(in: 3) { remote[Self.flag] = .boolean(true) }
    record = ServerRecord(
      objectID: "g1",
      createdAt: isOther ? GeneratedEntry.created.adding(milliseconds: 5) : GeneratedEntry.created,
      version: chance.one(in: 4) ? GeneratedEntry.version : ServerVersion(rawValue: "v2"),
      values: entity.fields.map { remote[$0.name] ?? .null })
    let unedited = GeneratedEntry.row(base)
    switch chance.number(below: 5) {
    case 0: (row, entry) = (nil, nil)
    case 1: (row, entry) = (unedited, nil)
    case 2:
      row = nil
      entry = Self.delete(of: unedited, &chance)
    default:
      let edited = GeneratedEntry.row(GeneratedFields.make(&chance))
      let update = GeneratedEntry.update(of: edited, base: base, &chance)
      row = edited
      entry = update.changed.isEmpty && update.attempts.isEmpty ? nil : update
    }
    failures =
      chance.one(in: 8)
      ? [RecordFailure(objectID: "g2", json: Data("{}".utf8), reason: "It is damaged.")] : []
    planner = ImportPlanner(
      entity: entity, policy: chance.one(in: 2) ? .remoteWins : .localWins,
      deletionPolicy: chance.one(in: 2) ? .deleteWins : .editWins,
      unknownFields: chance.one(in: 6) ? GeneratedFields.subset(&chance) : [],
      now: GeneratedEntry.now, listingStartedAt: chance.one(in: 3) ? nil : GeneratedEntry.now,
      evicts: chance.one(in: 2))
  }

  private static func delete(
    of row: Record, _ chance: inout SeededGenerator
  ) -> OutboxEntry {
    var entry = OutboxEntry(deleting: row, foldedThrough: HistoryToken(rawValue: 2))
    if chance.one(in: 3) { entry.withdrawn = GeneratedFields.make(&chance) }
    if chance.one(in: 3) {
      entry.begin(GeneratedEntry.attempt(.delete, Fields(), &chance))
      entry.lose(timedOut: chance.one(in: 2))
    }
    return entry
  }

  private func situation(
    _ row: Record?, _ entry: OutboxEntry?, quarantined: [String: QuarantinedRecord]
  ) -> ImportSituation {
    var situation = ImportSituation(
      records: [record], failures: failures, quarantined: quarantined)
    if let row {
      situation.rows["g1"] = row
      situation.versions["g1"] = StoredVersion(
        localID: row.localID, objectID: "g1", createdAt: row.createdAt, version: row.version)
    }
    situation.entries["g1"] = entry
    return situation
  }

  /// The row and the change after a plan.
  private func after(_ plan: ImportPlan) -> (row: Record?, entry: OutboxEntry?) {
    var (row, entry) = (row, entry)
    if let written = plan.rows.first {
      var imported = GeneratedEntry.row(Fields())
      for (field, value) in zip(planner.entity.fields, written.values) where !value.isNull {
        imported.fields[field.name] = value
      }
      (imported.createdAt, imported.version) = (written.createdAt, written.version)
      row = imported
    }
    if let reinstated = plan.reinstated.first { row = reinstated }
    if !plan.removed.isEmpty { row = nil }
    if !plan.done.isEmpty { entry = nil }
    if let changed = plan.entries.first { entry = changed }
    return (row, entry)
  }

  private func text(_ plan: ImportPlan) -> String {
    "\(record)\nrow \(String(describing: row))\nentry \(String(describing: entry))\n\(planner)\n"
      + "\(plan)"
  }

  private func checkFate(_ plan: ImportPlan) throws(BrokenLaw) {
    let evictions = plan.actions.count { $0.kind == .evict }
    let fates = plan.unchanged + plan.actions.count { $0.kind != .quarantine }
    try law(
      fates == 1 || fates == 2 && evictions == 1, "a record has one fate", text(plan))
    try law(plan.rows.count <= 1 && plan.entries.count <= 1, "a row is written once", text(plan))
    try law(
      plan.done.isEmpty || plan.entries.isEmpty, "an entry is not done and changed", text(plan))
    try law(
      plan.removed.isEmpty || row != nil, "only a row that is there is removed", text(plan))
    try law(plan.setAside.count == failures.count, "a failure goes into quarantine", text(plan))
  }

  /// No edit of the app goes without a trace.
  private func checkEdits(_ plan: ImportPlan) throws(BrokenLaw) {
    guard let row, let entry else { return }
    let after = after(plan)
    for name in entry.edited {
      let local = row[name]
      let isOnServer = planner.entity.positions[name].map { record.values[$0] } == local
      let isLeft =
        after.row?[name] == local && after.entry?.changed.contains(name) == true
      let isKept = plan.conflicts.contains {
        ($0.isWholeRecord || $0.lost[name] != nil) && ($0.lost[name] ?? .null) == local
      }
      try law(
        isOnServer || isLeft || isKept,
        "an edit is on the server, stays, or is kept as a conflict record", text(plan))
    }
  }

  /// No value of another client is overwritten unseen.
  private func checkServer(_ plan: ImportPlan) throws(BrokenLaw) {
    let after = after(plan)
    guard let row = after.row, !planner.entity.isFlagged(record) else { return }
    for (field, value) in zip(planner.entity.fields, record.values) {
      guard row[field.name] != value else { continue }
      let isUnknown =
        planner.unknownFields.contains(field.name)
        && (value.isNull || (entry?.base[field.name] ?? .null).isNull)
      let isKnown = isUnknown || entry?.isRemoteUnchanged(field.name, value) ?? false
      let isKept = plan.conflicts.contains { ($0.lost[field.name] ?? .null) == value }
      try law(
        after.entry?.changed.contains(field.name) ?? false,
        "a row differs from its record only where an edit is unsent", text(plan))
      try law(isKnown || isKept, "another client's value is kept before it is lost", text(plan))
    }
  }

  /// The same page once more changes nothing.
  private func checkAgain(_ plan: ImportPlan) throws(BrokenLaw) {
    let (row, entry) = after(plan)
    let quarantined = Dictionary(
      plan.setAside.map { ($0.objectID, $0) }, uniquingKeysWith: { $1 })
    let again = planner.plan(situation(row, entry, quarantined: quarantined))
    try law(
      again.rows.isEmpty && again.reinstated.isEmpty && again.removed.isEmpty
        && again.entries.isEmpty && again.done.isEmpty && again.conflicts.isEmpty
        && again.setAside.isEmpty && again.actions.isEmpty, "a second import changes nothing",
      "\(text(plan))\nagain \(again)")
  }
}
