// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// The entries and rows of an answered batch, read at once, with the rows of its creates bound to their records.
///
/// Only where a record of the batch concerns nothing but its own row. Otherwise the batch is read write by
/// write, since each may change the entries and rows of those behind it.
struct AnsweredEntries {
  private var entries: [RecordKey: OutboxEntry] = [:]
  /// The rows at present; if one is gone since another was bound, as it was before.
  ///
  /// A trigger of the app may remove a row while the engine writes another; it comes back when the transaction ends.
  private var rows: [RecordKey: Record] = [:]
  /// Whether the rows of all creates are bound.
  private(set) var isBound = false
  /// Whether the store must be read again for each write.
  private(set) var isOutdated = true

  /// With `readingEach`, the writes are concluded one by one, because the store refused a row of them.
  init(
    of batch: AnsweredBatch, _ known: inout KnownChanges, in transaction: any SyncTransaction,
    readingEach: Bool
  ) throws(StoreError) {
    let keys = batch.writes.map(\.key)
    guard !readingEach else {
      rows = try transaction.rows(keys)
      return
    }
    (entries, rows) = try known.read(keys, in: transaction)
    guard entries.count == keys.count, let bindings = bindings(of: batch),
      try transaction.areNew(bindings)
    else { return }
    isOutdated = false
    isBound = true
    guard !bindings.isEmpty else { return }
    guard try transaction.bindNewRows(bindings) else {
      let listed = bindings.filter { rows[$0.key]?.acl.isNull == true && !$0.acl.isNull }
      for row in listed { rows[row.key]?.acl = row.acl }
      known.follow(try transaction.lastToken(), past: listed.count)
      return
    }
    known.forgetAll()
    let bound = try known.read(keys, in: transaction)
    entries = bound.entries
    rows.merge(bound.rows) { $1 }
  }

  /// The rows to bind; nil where one of them is known to the server already, or where two get one id.
  private func bindings(of batch: AnsweredBatch) -> [RowBinding]? {
    var bindings: [RowBinding] = []
    var named = Set<String>()
    for (write, item) in zip(batch.writes, batch.outcome.items) {
      guard case .success(let acknowledgement) = item, let creation = acknowledgement.creation
      else { continue }
      guard let entry = entries[write.key], rows[write.key]?.createdAt == nil,
        entry.objectID == creation.objectID || MintedID.matches(entry.objectID),
        named.insert(creation.objectID).inserted
      else { return nil }
      bindings.append(
        RowBinding(
          key: write.key, from: entry.objectID, to: creation.objectID, createdAt: creation.time,
          acl: write.accessList(after: acknowledgement)))
    }
    return bindings
  }

  /// The entry of a write in flight.
  ///
  /// The entry has moved if the app deleted the row meanwhile and inserted its object id again,
  /// because an object id has at most one entry.
  func entry(
    under write: SentWrite, in reader: any SyncReader
  ) throws(StoreError) -> OutboxEntry? {
    guard isOutdated else { return entries[write.key] }
    return try reader.entry(under: write)
  }

  /// The fields and the access list of an entry's row; nil if the app has deleted it.
  func contents(of key: RecordKey, in reader: any SyncReader) throws(StoreError) -> Fields? {
    let present = isOutdated ? try reader.contents(of: key) : nil
    return present ?? rows[key]?.contents
  }
}

extension SentWrite {
  /// The access list of the record that a create made, as far as the answer says it; null for none.
  func accessList(after acknowledgement: Acknowledgement) -> Value {
    if let sent = attempt.sent[Fields.accessList] { return sent }
    // Parse Server 9 answers with a list that the permissions of the class give to new records.
    guard let answer = acknowledgement.changes["ACL"], AccessList(answer) != nil else {
      return .null
    }
    return answer
  }
}

extension SyncReader {
  /// The entry of a write in flight, wherever it is now.
  func entry(under write: SentWrite) throws(StoreError) -> OutboxEntry? {
    if let entry = try entry(of: write.key) { return entry }
    return try outboxEntries(of: write.key.className, objectIDs: [write.objectID]).first
  }

  /// Whether the records of rows concern nothing but these rows: no other row or entry has one of their ids,
  /// and the server never had what the rows were named until now.
  fileprivate func areNew(_ bindings: [RowBinding]) throws(StoreError) -> Bool {
    for (className, bindings) in Dictionary(grouping: bindings, by: \.key.className) {
      let ids = bindings.map(\.objectID)
      let owners = Dictionary(
        bindings.map { ($0.objectID, $0.key.localID) }, uniquingKeysWith: { first, _ in first })
      guard try aliases(of: ids).isEmpty,
        try versions(of: className, objectIDs: ids).allSatisfy({
          owners[$0.key] == $0.value.localID
        }),
        try outboxEntries(of: className, objectIDs: ids).allSatisfy({
          owners[$0.objectID] == $0.localID
        }),
        try formerIDs(of: className, among: bindings.map(\.old)).isEmpty
      else { return false }
    }
    return true
  }
}
