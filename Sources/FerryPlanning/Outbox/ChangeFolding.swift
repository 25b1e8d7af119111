// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// Turns captured edits into outbox entries.
///
/// A pure function of log rows, existing entries and the rows' present values. It processes the log
/// row by row, so folding at once and folding in steps have the same result. An object id has at
/// most one entry. If the app deletes a record and inserts it again, or replaces it, the record
/// keeps its entry under the new row's local id.
///
/// Another program may give a local id to another record. The record that had it keeps its entry, too:
/// see `Outcome.entries`.
///
/// The edits of a record may come in parts, so that memory need not hold all of them.
package struct ChangeFolding {
  package struct Outcome: Sendable, Equatable {
    /// The entries that are new or changed.
    ///
    /// An entry has no assigned local id if its row is gone and another record has the local id. The
    /// store gives it one that no row had.
    package var entries: [OutboxEntry] = []
    /// The keys whose entries were removed or moved.
    package var removed: [RecordKey] = []
    /// Records whose rows the app inserted again.
    ///
    /// Such a row lacks the record's access control list and, if the server knows the record, the
    /// server's identity and version of it. The row gets them from this list. The fields are those that had unsent
    /// edits when the app deleted the row: what the server has of them.
    package var reinserted: [Record] = []
    /// Records that the app deleted before the server ever heard of them.
    package var withdrawn: [Pointer] = []
    /// The fields with edits that the insert of another program left out, by record.
    ///
    /// The row no longer has what attempts sent of such a field.
    package var leftOut: [Pointer: Set<String>] = [:]
  }

  var drafts: [Pointer: Draft]
  var touched = Set<Pointer>()
  var withdrawn = Set<Pointer>()
  /// The records of which the last edit so far is a delete, and where the log has it.
  var deleted: [Pointer: HistoryToken] = [:]
  /// The server's values of fields with edits that an insert left out, as long as no later edit names them.
  var leftOut: [Pointer: Fields] = [:]
  /// The access control lists of unsent rows that the app deleted; an insert may bring such a row back.
  var accessLists: [Pointer: Value] = [:]
  let lives: RowLives
  /// The values of columns that an insert leaves out; empty without defaults.
  let defaults: Fields
  /// The fields with a merge.
  let merged: Set<String>
  /// The server's values of records, as the app knew them when it deleted their rows, by object id.
  let lastKnown: [String: Fields]
  /// Where the store has the entries.
  private let stored: [Pointer: RecordKey]

  /// Folds rows of the log.
  ///
  /// - Parameters:
  ///   - log: The app's edits that are not folded yet, oldest first.
  ///   - entries: The entries of those rows and of their object ids.
  ///   - records: Those rows at present.
  /// - Returns: The changes by folding.
  package static func fold(
    _ log: [LogRow], into entries: [OutboxEntry], records: [Record]
  ) -> Outcome {
    var folding = ChangeFolding(into: entries, records: records, removals: log)
    folding.fold(log)
    return folding.outcome
  }

  /// - Parameters:
  ///   - entries: The entries of the rows that the edits are about, and of their object ids.
  ///   - records: Those rows at present.
  ///   - removals: The edits that removed such a row, as `RowLives` needs them; other edits do not matter.
  ///   - defaults: The values of columns that an insert leaves out.
  ///   - merged: The fields with a merge.
  ///   - lastKnown: The server's values of records, as the app knew them when it deleted their rows, by object id.
  package init(
    into entries: [OutboxEntry], records: [Record], removals: [LogRow], defaults: Fields = Fields(),
    merged: Set<String> = [], lastKnown: [String: Fields] = [:]
  ) {
    self.merged = merged
    self.defaults = defaults
    self.lastKnown = lastKnown
    lives = RowLives(present: records, removals: removals)
    drafts = Dictionary(
      entries.map { ($0.pointer, Draft($0)) }, uniquingKeysWith: { _, last in last })
    stored = Dictionary(
      entries.map { ($0.pointer, $0.key) }, uniquingKeysWith: { _, last in last })
  }

  /// Folds the next part of the edits, oldest first.
  package mutating func fold(_ log: [LogRow]) {
    for row in log { apply(row) }
  }

  /// The changes by all edits so far.
  package var outcome: Outcome {
    var folding = self
    folding.bringBackDeleted()
    return folding.outcomeInOrder
  }

  private var outcomeInOrder: Outcome {
    var outcome = Outcome()
    outcome.leftOut = leftOut.mapValues { Set($0.values.keys) }.filter { !$1.isEmpty }
    outcome.withdrawn = withdrawn.filter { drafts[$0] == nil }
      .sorted { ($0.className, $0.objectID) < ($1.className, $1.objectID) }
    let displaced = displaced
    for record in touched.union(displaced) {
      let former = stored[record]
      var draft = drafts[record]
      let row = draft.flatMap { lives.present($0.entry) }
      if let row, var known = draft?.entry.known(lackedBy: row, draft?.knownList ?? .null) {
        known.fields = draft?.baseOfWithdrawn ?? Fields()
        outcome.reinserted.append(known)
      }
      // A record that only moves keeps its entry as it is.
      let isOpen = touched.contains(record) ? draft?.reconcile(on: row) == true : draft != nil
      if displaced.contains(record) { draft?.entry.localID = LocalID() }
      if isOpen, let entry = draft?.entry { outcome.entries.append(entry) }
      if let former, !isOpen || draft?.entry.key != former { outcome.removed.append(former) }
    }
    outcome.entries.sort { ($0.key, $0.objectID) < ($1.key, $1.objectID) }
    outcome.removed.sort()
    outcome.reinserted.sort { $0.key < $1.key }
    return outcome
  }

  /// The records without a row whose local id another record has.
  private var displaced: Set<Pointer> {
    var displaced = Set<Pointer>()
    var holders: [RecordKey: Pointer] = [:]
    for (record, draft) in drafts where draft.isDelete {
      let key = draft.entry.key
      if let row = lives.present(key), row.objectID != record.objectID {
        displaced.insert(record)
      } else if let other = holders.updateValue(record, forKey: key), let rival = drafts[other] {
        let isLater =
          (rival.entry.foldedThrough, other.objectID) < (draft.entry.foldedThrough, record.objectID)
        displaced.insert(isLater ? other : record)
        if !isLater { holders[key] = other }
      }
    }
    return displaced
  }
}

extension OutboxEntry {
  /// The identity and list of the record that a row lacks which the app inserted again; nil for none.
  fileprivate func known(lackedBy row: Record, _ acl: Value) -> Record? {
    let known = Record(
      className: className, localID: localID, objectID: objectID, fields: Fields(),
      acl: row.completed(by: acl).acl)
    switch kind {
    case .update where createdAt != nil && row.createdAt == nil:
      var acknowledged = known
      acknowledged.createdAt = createdAt
      acknowledged.version = baseVersion
      return acknowledged
    case .create where !acl.isNull && row.acl.isNull: return known
    case .create, .update, .delete, .deleteAfterCreate: return nil
    }
  }
}
