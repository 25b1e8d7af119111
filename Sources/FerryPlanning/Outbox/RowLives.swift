// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// Tells which record a row held when the app edited it.
///
/// A log row names its row by the local id. Another program may delete the row, and give its local id to
/// another record. The next removal of the row says which record it held, and without one, the row at present.
package struct RowLives {
  /// A part of a row's past: it held one record until the app removed the row.
  private struct Life {
    var pointer: Pointer
    /// The record at its first removal: a row that the app inserted again lacks what the server said.
    ///
    /// Nil if a program has folded the removal.
    var record: Record?
    /// The last removal of the record.
    var end: HistoryToken
  }

  private var past: [RecordKey: [Life]] = [:]
  private let present: [RecordKey: Record]
  /// The rows of records; empty where no edit is late.
  private var owners: [Pointer: RecordKey] = [:]
  /// Records at their first removal that no program has folded; empty where no edit is late.
  private var removed: [Pointer: Record] = [:]

  /// - Parameters:
  ///   - present: The rows at present.
  ///   - removals: The edits that removed such rows. Of consecutive removals under one object id, the first
  ///     and the last do; other edits do not matter, except that they may be late.
  package init(present: [Record], removals: [LogRow]) {
    self.present = Dictionary(present.map { ($0.key, $0) }, uniquingKeysWith: { _, last in last })
    var hasLate = false
    for row in removals.sorted(by: { $0.token < $1.token }) {
      switch row.kind {
      case .delete(let old):
        append(Life(pointer: old.pointer, record: old, end: row.token), to: row.key)
      case .late(_, let objectID):
        hasLate = true
        guard let objectID else { continue }
        let record = Pointer(className: row.className, objectID: objectID)
        append(Life(pointer: record, record: nil, end: row.token), to: row.key)
      case .lateInsert: hasLate = true
      case .insert, .update: continue
      }
    }
    guard hasLate else { return }
    owners = Dictionary(present.map { ($0.pointer, $0.key) }, uniquingKeysWith: { _, last in last })
    for row in removals.sorted(by: { $0.token < $1.token }) {
      if case .delete(let old) = row.kind, removed[old.pointer] == nil {
        removed[old.pointer] = old
      }
    }
  }

  private mutating func append(_ life: Life, to key: RecordKey) {
    var lives = past[key] ?? []
    var life = life
    if let last = lives.last, last.pointer == life.pointer {
      life.record = lives.removeLast().record ?? life.record
    }
    past[key] = lives + [life]
  }

  private func life(at edit: LogRow) -> Life? {
    past[edit.key]?.first { edit.token <= $0.end }
  }

  /// The record that a row held at an edit; nil if the row is gone without a removal.
  func record(of edit: LogRow) -> Record? {
    if let life = life(at: edit) { life.record } else { present[edit.key] }
  }

  /// The name of the record that a row held at an edit.
  func pointer(of edit: LogRow) -> Pointer? {
    life(at: edit)?.pointer ?? present[edit.key]?.pointer
  }

  /// The rows at present.
  var presentRows: some Collection<Record> { present.values }

  /// A row at present.
  func present(_ key: RecordKey) -> Record? { present[key] }

  /// The present row of a record with a late edit; nil if it is gone.
  func present(_ record: Pointer) -> Record? { owners[record].flatMap { present[$0] } }

  /// A record with a late edit, as the server knows it: a row that the app inserted again does not say that.
  func known(_ record: Pointer) -> Record? { removed[record] ?? present(record) }

  /// The row of an entry's record at present; nil if it is gone.
  func present(_ entry: OutboxEntry) -> Record? {
    present[entry.key].flatMap { $0.objectID == entry.objectID ? $0 : nil }
  }
}
