// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// Turns captured edits into outbox entries.
///
/// A pure function of log rows, existing entries and the rows' present values. It processes the log
/// row by row, so folding at once and folding in steps have the same result. An object id has at
/// most one entry. If the app deletes a record and inserts it again, or replaces it, the record
/// keeps its entry under the new row's local id.
///
/// The edits of a record may come in parts, so that memory need not hold all of them.
package struct ChangeFolding {
  package struct Outcome: Sendable, Equatable {
    /// The entries that are new or changed.
    package var entries: [OutboxEntry] = []
    /// The keys whose entries were removed.
    package var removed: [RecordKey] = []
    /// Records whose rows the app inserted again, without fields.
    ///
    /// Such a row lacks the record's access control list and, if the server knows the record, the
    /// server's identity and version of it. The row gets them from this list.
    package var reinserted: [Record] = []
    /// Records that the app deleted before the server ever heard of them.
    package var withdrawn: [Pointer] = []
  }

  var drafts: [RecordKey: Draft]
  /// The key of the entry of each object id.
  var keys: [ObjectKey: RecordKey]
  var touched = Set<RecordKey>()
  var withdrawn = Set<ObjectKey>()
  /// The access control lists of unsent rows that the app deleted; an insert may bring such a row back.
  var accessLists: [ObjectKey: Value] = [:]
  /// Each row's identity in the past or, if unknown, at present.
  private(set) var identities: [RecordKey: Record] = [:]
  private let current: [RecordKey: Record]
  private let existed: Set<RecordKey>

  struct ObjectKey: Hashable {
    var className: String
    var objectID: String

    var pointer: Pointer { Pointer(className: className, objectID: objectID) }
  }

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
  ///   - removals: The edits that removed such a row first; other edits do not matter here.
  package init(into entries: [OutboxEntry], records: [Record], removals: [LogRow]) {
    for row in removals {
      if case .delete(let old) = row.kind, identities[row.key] == nil { identities[row.key] = old }
    }
    for record in records where identities[record.key] == nil { identities[record.key] = record }
    current = Dictionary(records.map { ($0.key, $0) }, uniquingKeysWith: { _, last in last })
    existed = Set(entries.map(\.key))
    drafts = Dictionary(
      entries.map { ($0.key, Draft($0)) }, uniquingKeysWith: { _, last in last })
    keys = Dictionary(
      entries.map { (ObjectKey(className: $0.className, objectID: $0.objectID), $0.key) },
      uniquingKeysWith: { _, last in last })
  }

  /// Folds the next part of the edits, oldest first.
  package mutating func fold(_ log: [LogRow]) {
    for row in log { apply(row) }
  }

  /// The changes by all edits so far.
  package var outcome: Outcome {
    var outcome = Outcome()
    outcome.withdrawn = withdrawn.filter { keys[$0] == nil }.map(\.pointer)
      .sorted { ($0.className, $0.objectID) < ($1.className, $1.objectID) }
    for key in touched.sorted() {
      var draft = drafts[key]
      if let entry = draft?.entry, let row = current[key], let known = entry.known(lackedBy: row) {
        outcome.reinserted.append(known)
      }
      if draft?.reconcile(on: current[key]) == true, let entry = draft?.entry {
        outcome.entries.append(entry)
      } else if existed.contains(key) {
        outcome.removed.append(key)
      }
    }
    return outcome
  }
}

extension OutboxEntry {
  /// The identity and list of the record that a row lacks which the app inserted again; nil for none.
  fileprivate func known(lackedBy row: Record) -> Record? {
    let known = Record(
      className: className, localID: localID, objectID: objectID, fields: Fields(), acl: acl)
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
