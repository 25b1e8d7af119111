// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

/// Looks up the records of writes in doubt, to learn what became of the writes.
struct OutcomeResolution {
  let context: StageContext
  /// The stage that asks; nil before the first stage.
  let stage: StageName?

  func resolve(_ writesInDoubt: [WriteInDoubt]) throws(SyncError) {
    // The server certainly did not carry these out, so there is nothing to look up.
    let writesInDoubt = writesInDoubt.filter { !$0.isUnusableID }
    for (className, writesInDoubt) in Dictionary(grouping: writesInDoubt, by: \.key.className)
      .sorted(by: { $0.key < $1.key })
    {
      guard let entity = context.schema.entity(className) else { continue }
      do {
        try resolve(writesInDoubt, ClassContext(entity, in: context))
      } catch {
        try cannotAsk(writesInDoubt, of: entity, try error.failure())
      }
    }
  }

  private func resolve(_ writesInDoubt: [WriteInDoubt], _ context: ClassContext) throws(ClassError)
  {
    let entity = context.entity
    let entries = try context.read { try $0.entries(writesInDoubt.map(\.key)) }
    let importer = try PageImporter(askedFor: .postCreated, in: context)
    let found = try FoundRecords(of: Array(entries.values), by: RecordLookup(context: context))
    let outcome = try context.write(.full) { transaction in
      try transaction.fold()
      var outcome = ImportOutcome()
      for markInDoubt in writesInDoubt {
        guard var entry = try transaction.entries([markInDoubt.key])[markInDoubt.key] else {
          continue
        }
        guard let record = found.record(of: entry), !entry.isOutlived(by: record.createdAt) else {
          try resolve(entry, markInDoubt.reason, absentIn: transaction)
          continue
        }
        if try transaction.isShared(record, with: entry) {
          // The record has a row already. Both rows become one, as in any import.
          entry.yieldID()
          try transaction.put(entry)
          try importer.importRecords([record], [], into: transaction, &outcome)
        } else if case .duplicate = markInDoubt.reason,
          entry.yieldTakenID(to: record.fields(of: entity))
        {
          // Another client's record has the id. The row meets it as in any import.
          try transaction.keep(entry, isDone: entry.kind == .deleteAfterCreate)
          try importer.importRecords([record], [], into: transaction, &outcome)
        } else {
          try resolve(entry, markInDoubt.reason, present: record, entity, in: transaction)
        }
      }
      return outcome
    }
    outcome.tell(context.stage, entity)
  }

  private func resolve(
    _ entry: OutboxEntry, _ reason: WriteInDoubt.Reason, present record: ServerRecord,
    _ entity: Entity,
    in transaction: any SyncTransaction
  ) throws {
    if case .denied(let error) = reason {
      return try deny(entry, error, record, entity, in: transaction)
    }
    var entry = entry
    let wasCreate = entry.kind == .create || entry.kind == .deleteAfterCreate
    if wasCreate {
      try transaction.name(
        entry.key, from: entry.objectID, to: record.objectID, createdAt: record.createdAt,
        now: context.environment.now())
      entry = try transaction.entries([entry.key])[entry.key] ?? entry
      note(.post, entry)
    }
    let current = try transaction.rows([entry.key])[entry.key]
    let isDone = entry.resolvePresent(
      version: record.version, createdAt: record.createdAt, remote: record.fields(of: entity),
      current: current?.fields)
    try transaction.keep(entry, isDone: isDone)
  }

  private func resolve(
    _ entry: OutboxEntry, _ reason: WriteInDoubt.Reason, absentIn transaction: any SyncTransaction
  ) throws {
    var entry = entry
    if case .duplicate(let error) = reason {
      let refusal = Refusal(
        reason: .refused, code: error.code?.rawValue,
        message: "Another record has a value that has to be unique, or the id belongs to a record "
          + "that may not be read here. The record is kept and not sent again. \(error)")
      entry.refuse(refusal)
      note(.park, entry, refusal.message)
      return try transaction.put(entry)
    }
    guard isOver(entry) else {
      note(.wait, entry, "A create may still be running on the server; it is asked for again.")
      return
    }
    let wasDelete = entry.kind == .delete
    let isDone = entry.resolveAbsent(attemptLimit: context.options.attemptLimit)
    if wasDelete {
      try transaction.remember(entry.localID, objectID: entry.objectID, of: entry.className)
      note(.delete, entry)
    }
    if case .parked(let refusal) = entry.state { note(.park, entry, refusal.message) }
    try transaction.keep(entry, isDone: isDone)
  }

  /// Whether a missing create can no longer appear.
  ///
  /// With a minted id this does not matter: the server would refuse a second create as a duplicate.
  private func isOver(_ entry: OutboxEntry) -> Bool {
    guard entry.kind == .create || entry.kind == .deleteAfterCreate, entry.clientKey != nil
    else { return true }
    return entry.isOver(
      .create, at: context.environment.now(),
      maximumRequestDuration: context.options.maximumRequestDuration)
  }

  /// The user may read the record but not write it: the change is parked, and a deleted row is
  /// restored.
  private func deny(
    _ entry: OutboxEntry, _ error: ParseError, _ record: ServerRecord, _ entity: Entity,
    in transaction: any SyncTransaction
  ) throws {
    var entry = entry
    guard entry.kind == .delete else {
      let refusal = Refusal(
        reason: .noPermission, code: error.code?.rawValue,
        message: "This user may read the record but not change it. The edit is kept here and not "
          + "sent again by itself.")
      entry.refuse(refusal)
      note(.park, entry, refusal.message)
      return try transaction.put(entry)
    }
    try transaction.reinstate(
      Record(
        className: entry.className, localID: entry.localID, objectID: entry.objectID,
        fields: record.fields(of: entity), acl: record.acl, createdAt: record.createdAt,
        version: record.version))
    try transaction.removeOutboxEntry(of: entry.className, localID: entry.localID)
    note(.park, entry, "This user may not delete the record on the server, so it is back here.")
  }

  /// Handles a class that refuses lookups.
  ///
  /// A create is then undecidable; every other write stays in doubt.
  private func cannotAsk(
    _ writesInDoubt: [WriteInDoubt], of entity: Entity, _ failure: ClassFailure
  )
    throws(SyncError)
  {
    let isForbidden = failure.isForbidden
    try context.write(.full) { transaction in
      for markInDoubt in writesInDoubt {
        guard isForbidden, var entry = try transaction.entries([markInDoubt.key])[markInDoubt.key],
          entry.kind == .create
        else { continue }
        let refusal = Refusal(
          reason: .undecidable, code: failure.code?.rawValue,
          message:
            "The server may have this record or not: the class may not be read, so nobody can "
            + "look. The engine does not send it again, because it would then be there twice. The row "
            + "stays here. Once the class may be read, an edit of the row has the engine look again."
        )
        entry.refuse(refusal)
        note(.park, entry, refusal.message)
        try transaction.put(entry)
      }
    }
    context.notice(
      SyncNotice(
        .outcomeUnknown, className: entity.name,
        "The outcome of \(writesInDoubt.count) changes of \(entity.name) is unknown, and the class cannot "
          + "be asked for. They are kept. \(failure)"))
  }

  private func note(_ kind: SyncAction.Kind, _ entry: OutboxEntry, _ reason: String? = nil) {
    let stage = stage ?? entry.kind.stage
    context.ledger.act(
      SyncAction(
        kind, in: stage, className: entry.className, localID: entry.localID,
        objectID: kind == .post ? nil : entry.objectID, reason: reason))
    guard kind == .park, let reason else { return }
    context.notice(
      SyncNotice(.parked, className: entry.className, objectID: entry.objectID, reason))
  }
}

/// The results of a lookup for a list of entries, by object id or by client key.
private struct FoundRecords {
  private var byObjectID: [String: ServerRecord] = [:]
  private var byClientKey: [String: ServerRecord] = [:]

  init(of entries: [OutboxEntry], by lookup: RecordLookup) throws(ClassError) {
    let keys = entries.compactMap(\.lookupKey)
    let ids = entries.filter { $0.lookupKey == nil }.map(\.objectID)
    for record in try lookup.records(objectIDs: ids) { byObjectID[record.objectID] = record }
    // Of two records with one key, the older is the original; the import merges the other into it.
    for record in try lookup.records(clientKeys: keys).sorted(by: { $0.createdAt > $1.createdAt }) {
      if let key = record.clientKey { byClientKey[key] = record }
    }
  }

  func record(of entry: OutboxEntry) -> ServerRecord? {
    entry.lookupKey.map { byClientKey[$0] } ?? byObjectID[entry.objectID]
  }
}

extension SyncReader {
  /// Whether a record that was found for the create of a row has another local row.
  fileprivate func isShared(_ record: ServerRecord, with entry: OutboxEntry) throws -> Bool {
    guard entry.kind == .create else { return false }
    return try rival(for: record.objectID, of: entry.key) != nil
  }
}

extension OutboxEntry {
  /// The client key for looking an unfinished create up; nil if its object id is enough.
  fileprivate var lookupKey: String? {
    kind == .create || kind == .deleteAfterCreate ? clientKey : nil
  }
}

extension OutboxEntry.Kind {
  /// The stage that sends it.
  var stage: StageName {
    switch self {
    case .create: .postCreated
    case .update: .putUpdated
    case .delete, .deleteAfterCreate: .deleteDeleted
    }
  }
}
