// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning
import FerryStore
import Foundation

/// Writes the records of one class to the store as the planner decides.
struct PageImporter {
  let planner: ImportPlanner
  let clientKeyField: String
  let refusals = StoreRefusals<String>()
  /// The contents of the server's files; nil where nobody knows.
  let contents: ServerContents?
  var reader: PageReader

  init(
    _ planner: ImportPlanner, clientKeyField: String,
    contents: ServerContents? = nil
  ) {
    self.planner = planner
    self.clientKeyField = clientKeyField
    self.contents = contents
    reader = PageReader(planner.entity, clientKeyField: clientKeyField)
  }

  /// An importer for records that a stage requested by id, outside of any listing.
  init(askedFor stage: StageName, in context: ClassContext) throws(ClassError) {
    let entity = context.entity
    let now = context.environment.now()
    let state = try context.state(.classState(entity.name))
    self.init(
      ImportPlanner(
        entity: entity, policy: context.conflicts.policy(for: entity.name),
        deletionPolicy: context.conflicts.deletionPolicy(for: entity.name),
        unknownFields: state.unknownFields(of: entity), everListedFields: state.everListedFields,
        now: now, listingStartedAt: now,
        maximumRequestDuration: context.options.maximumRequestDuration, stage: stage, evicts: true),
      clientKeyField: context.options.clientKeyField, contents: context.stage.serverContents)
  }

  var className: String { planner.entity.name }

  /// The declared fields that at least one record has shown that was read.
  var shownFields: Set<String> { reader.shownFields }

  /// Reads a staged page, or says why it cannot be imported.
  mutating func read(_ staged: StagedPage) throws(SyncError) -> Result<BatchPage, PageDamage> {
    switch try staged.contents() {
    case .failure(let damage): return .failure(.altered(damage))
    case .success(let bytes):
      do {
        return .success(try reader.readBatch(bytes))
      } catch {
        return .failure(.unreadable(error))
      }
    }
  }

  /// Writes records as the planner decides; returns the rows whose pointers are still to be renewed.
  func write(
    _ records: [ServerRecord], _ failures: [RecordFailure], into transaction: any SyncTransaction,
    _ outcome: inout ImportOutcome
  ) throws(StoreError) -> [ImportRow] {
    let records = records.withLastOfEachID
    var situation = try situation(records, failures, in: transaction)
    if try nameFiles(in: situation, transaction) {
      situation = try self.situation(records, failures, in: transaction)
    }
    let matches = planner.matches(in: situation)
    if !matches.isEmpty {
      // A trigger of the app may remove a row as another gets its id; it comes back in the end.
      let rows = try transaction.rows(matches.map(\.entry.key))
      for match in matches { try resolve(match, of: rows[match.entry.key], in: transaction) }
      // Giving a row its id rewrites pointers to it, so the situation must be read again.
      situation = try self.situation(records, failures, in: transaction)
    }
    let originals = planner.originals(in: situation)
    if !originals.isEmpty {
      for original in originals { try adopt(original, in: transaction) }
      situation = try self.situation(records, failures, in: transaction)
    }
    let successions = planner.successions(in: situation)
    if !successions.isEmpty {
      for succession in successions { try follow(succession, in: transaction) }
      situation = try self.situation(records, failures, in: transaction)
    }
    var plan = planner.plan(situation)
    plan.actions += originals.map(planner.action(for:))
    try perform(plan, in: transaction)
    outcome.note(plan)
    return plan.rows
  }

  private func situation(
    _ records: [ServerRecord], _ failures: [RecordFailure], in reader: any SyncReader
  ) throws(StoreError) -> ImportSituation {
    var situation = ImportSituation(records: records, failures: failures)
    let shown = situation.shown
    let ids = shown.map(\.objectID)
    let keys = shown.compactMap(\.clientKey)
    for row in try reader.records(of: className, objectIDs: ids) {
      situation.rows[row.objectID] = row
      situation.versions[row.objectID] = StoredVersion(
        localID: row.localID, objectID: row.objectID, createdAt: row.createdAt,
        version: row.version)
    }
    if !situation.rows.isEmpty {
      // The fields of other programs matter only where a row may go.
      let leaving = shown.filter {
        situation.rows[$0.objectID] != nil && planner.mayRemoveRow(of: $0)
      }
      situation.undeclared = try reader.undeclaredFields(
        of: className, localIDs: leaving.compactMap { situation.rows[$0.objectID]?.localID })
    }
    // A key identifies a create of this store even if this device never sent it: the store may be a
    // backup of another device's store.
    for entry in try reader.outboxEntries(of: className, objectIDs: ids + keys) {
      situation.entries[entry.objectID] = entry
    }
    if !keys.isEmpty {
      for entry in try reader.outboxEntries(of: className, clientKeys: keys) {
        if let key = entry.clientKey { situation.entries[key] = entry }
      }
      situation.aliases = try reader.aliases(of: keys)
      let named = Set(situation.aliases.values).sorted()
      for row in try reader.records(of: className, objectIDs: named) {
        situation.named[row.objectID] = row
      }
      for row in try reader.records(of: className, objectIDs: keys) {
        situation.predecessors[row.objectID] = row
      }
    }
    let suspects =
      ids
      + failures.map {
        $0.objectID
          ?? QuarantinedRecord.name(ofRecordWithoutID: String(decoding: $0.json, as: UTF8.self))
      }
    for record in try reader.quarantined(className, objectIDs: suspects) {
      situation.quarantined[record.objectID] = record
    }
    return situation
  }

  /// The record exists, so the create arrived.
  private func resolve(
    _ match: ImportMatch, of row: Record?, in transaction: any SyncTransaction
  ) throws(StoreError) {
    var entry = match.entry
    let record = match.record
    let isDone = entry.resolvePresent(
      version: record.version, createdAt: record.createdAt,
      remote: record.contents(of: planner.entity),
      current: row?.completed(by: record.acl).contents,
      formerMark: try transaction.formerMark(on: record, of: planner.entity))
    if row != nil {
      try transaction.name(
        entry.key, from: entry.objectID, to: record.objectID, createdAt: record.createdAt,
        now: planner.now)
    } else {
      try transaction.remember(entry.localID, objectID: record.objectID, of: className)
    }
    entry.rename(to: record.objectID)
    entry.meet(record.version)
    try transaction.keep(entry, isDone: isDone)
  }

  /// The row becomes the row of the record that was created anew.
  private func follow(_ succession: ImportSuccession, in transaction: any SyncTransaction)
    throws(StoreError)
  {
    let row = succession.row
    try transaction.name(
      row.key, from: row.objectID, to: succession.record.objectID,
      createdAt: succession.record.createdAt, now: planner.now)
    // No listing shows that record any more, so that nothing else would take it out.
    try transaction.removeFromQuarantine(className, objectIDs: [row.objectID])
    guard var entry = try transaction.entries([row.key])[row.key], entry.kind == .update else {
      return
    }
    // Nothing that was sent to the record that is gone can reach the new one.
    _ = entry.resolveAbsent()
    entry.follow(recordCreatedAt: succession.record.createdAt)
    try transaction.put(entry)
  }

  private func perform(_ plan: ImportPlan, in transaction: any SyncTransaction) throws(StoreError) {
    if !plan.rows.isEmpty { try transaction.apply(plan.rows, to: className) }
    if !plan.removed.isEmpty { try transaction.remove(plan.removed, from: className) }
    for record in plan.reinstated { try transaction.reinstate(record) }
    if !plan.entries.isEmpty { try transaction.put(plan.entries) }
    // An undo of such a delete compares with what the app knew, and takes the mark back.
    for entry in plan.entries where entry.hasIncrementsSetAside && entry.isUnknownToServer {
      try transaction.remember(entry)
    }
    for entry in plan.done { try transaction.keep(entry, isDone: true) }
    for entry in plan.conflicts { try transaction.recordConflict(entry) }
    for duplicate in plan.duplicates {
      try discard(duplicate.record, in: transaction)
      try transaction.redirectPointers(
        to: className, from: duplicate.record.objectID, to: duplicate.originalID)
    }
    for record in plan.setAside { try transaction.quarantine(record) }
    if !plan.cured.isEmpty {
      try transaction.removeFromQuarantine(className, objectIDs: plan.cured)
    }
  }
}

extension [ServerRecord] {
  /// Without records that come again later in the list: a record has one row.
  fileprivate var withLastOfEachID: [ServerRecord] {
    var seen = Set<String>()
    let kept = reversed().filter { seen.insert($0.objectID).inserted }
    return kept.count == count ? self : kept.reversed()
  }
}
