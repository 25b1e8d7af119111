// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// Entries and rows as they were read or written last, so that a batch need not read them again.
///
/// They hold as long as history goes no further, because it shows each change of a row, and no edit is folded
/// into an entry without one. The engine's own writes to entries do not show in history, so the ledger notes or
/// forgets such entries here.
struct KnownChanges {
  private var entries: [RecordKey: OutboxEntry] = [:]
  /// The rows of these entries; an entry without a row is known to have none.
  private var rows: [RecordKey: Record] = [:]
  /// The newest change in history when they were read.
  private var token: HistoryToken?

  init() {}

  /// - Parameters:
  ///   - entries: Entries, folded up to the newest change in history.
  ///   - rows: Their rows.
  ///   - token: The newest change.
  init(_ entries: [OutboxEntry], _ rows: [RecordKey: Record], at token: HistoryToken) {
    self.entries = Dictionary(entries.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
    self.rows = rows
    self.token = token
  }

  /// The entries of some keys and their rows, in a transaction that has folded all edits.
  mutating func read(
    _ keys: [RecordKey], in transaction: any SyncTransaction
  ) throws(StoreError) -> (entries: [RecordKey: OutboxEntry], rows: [RecordKey: Record]) {
    let last = try transaction.lastToken()
    if last != token {
      forgetAll()
      token = last
    }
    let unknown = keys.filter { entries[$0] == nil }
    if !unknown.isEmpty {
      entries.merge(try transaction.entries(unknown)) { $1 }
      rows.merge(try transaction.rows(unknown)) { $1 }
    }
    var (found, present): ([RecordKey: OutboxEntry], [RecordKey: Record]) = ([:], [:])
    for key in keys {
      found[key] = entries[key]
      present[key] = rows[key]
    }
    return (found, present)
  }

  /// Goes on knowing the rows, if history has moved by some changes that the caller made to rows it forgets itself.
  mutating func follow(_ last: HistoryToken, past count: Int) {
    if let token, last.rawValue == token.rawValue + Int64(count) { self.token = last }
  }

  /// The object id of an entry when it was read; nil if it is not known.
  func objectID(of key: RecordKey) -> String? { entries[key]?.objectID }

  /// Takes note of an entry that was written, and whose row is known.
  mutating func note(_ entry: OutboxEntry) { entries[entry.key] = entry }

  mutating func forget(_ keys: some Sequence<RecordKey>) {
    for key in keys {
      entries[key] = nil
      rows[key] = nil
    }
  }

  mutating func forgetAll() {
    entries = [:]
    rows = [:]
  }
}
