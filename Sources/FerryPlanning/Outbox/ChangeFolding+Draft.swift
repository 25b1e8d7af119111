// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

extension ChangeFolding {
  /// An entry during folding.
  struct Draft {
    var entry: OutboxEntry
    /// Whether the base covers the whole record: a field that is not in it had no value.
    var hasWholeBase: Bool
    /// The values, in a deleted row, of the fields that the engine had changed by itself.
    private var rewritten: Fields?
    /// The server's values of the fields whose unsent edits a delete took along, after the app inserted the row again.
    private(set) var baseOfWithdrawn = Fields()
    /// The access list of the deleted row, if it was an unsent edit, after the app inserted the row again.
    private(set) var returningList: Value?
    /// Whether the log tells with which list a new row was inserted: the app has changed the list since.
    private var isInsertedListKnown = false

    /// Continues an entry; only an update's base covers just some fields.
    init(_ entry: OutboxEntry) {
      self.entry = entry
      hasWholeBase = entry.kind != .update
    }

    /// Begins the entry of a record that has none.
    init(_ record: Record, localID: LocalID, at token: HistoryToken) {
      let isKnown = record.createdAt != nil
      entry = OutboxEntry(
        className: record.className, localID: localID, objectID: record.objectID,
        kind: isKnown ? .update : .create, foldedThrough: token)
      entry.createdAt = record.createdAt
      entry.baseVersion = record.version
      hasWholeBase = !isKnown
    }
  }
}

extension ChangeFolding.Draft {
  /// The app edited the record.
  mutating func edit(old: Fields) {
    guard entry.kind == .update else { return noteInsertedList(old) }
    // The app has changed the list since the insert, so a row without one has none.
    if old.values[Fields.accessList] != nil { returningList = nil }
    for (name, value) in old.values where entry.base[name] == nil {
      // A row that came back has the list of its record only after folding.
      let known = name == Fields.accessList && entry.createdAt != nil ? servedList : .null
      entry.base[name] = hasWholeBase ? known : value
    }
    entry.changed.formUnion(old.values.keys)
    entry.rewritten.subtract(old.values.keys)
  }

  /// A new row takes the list of its former row if its insert left the column out, and only then.
  ///
  /// An app may have given the list and taken it away again, as by two undos.
  private mutating func noteInsertedList(_ old: Fields) {
    guard entry.kind == .create, entry.createdAt == nil, !isInsertedListKnown,
      let list = old.values[Fields.accessList]
    else { return }
    isInsertedListKnown = true
    guard !list.isNull else { return }
    entry.acl = .null
    returningList = nil
  }

  /// The app edited fields that the program did not declare which has folded the edit.
  mutating func editLate(old: Fields) {
    guard entry.kind == .update || isDelete else { return }
    entry.base = old.merging(entry.base)
    if entry.kind == .update { entry.changed.formUnion(old.values.keys) }
  }

  /// The insert of another program left fields out which an edit before it had filled.
  mutating func leaveOut(_ fields: some Sequence<String>) {
    guard entry.kind == .update else { return }
    for field in fields {
      entry.base[field] = nil
      entry.changed.remove(field)
    }
  }

  /// The server's values of fields that an insert seemed to leave out; the row may hold an edit of them.
  mutating func know(_ values: Fields) {
    guard entry.kind == .update else { return }
    entry.base = values.merging(entry.base)
  }

  /// The app deletes the row: the base becomes that of the whole record.
  private mutating func widenBase(with old: Record) {
    if old.createdAt != nil { entry.baseVersion = old.version }
    if old.createdAt != nil || !old.acl.isNull { entry.acl = old.acl }
    guard !hasWholeBase else { return }
    entry.base = old.fields.merging(entry.base)
    hasWholeBase = true
  }

  /// The access list of the record, for a row that was inserted again without one.
  var knownList: Value { returningList ?? entry.acl }

  /// The list that the server has, in the form in which lists are compared; null if nobody knows it.
  private var servedList: Value {
    entry.baseVersion == nil ? entry.acl.comparableAccessList : entry.acl.servedAccessList
  }

  /// Parts an unsent edit of the access list from what the server has of it.
  private mutating func withdrawAccessList(of old: Record) {
    guard let served = entry.base.values.removeValue(forKey: Fields.accessList) else { return }
    if let edited = old.contents[Fields.accessList], edited != served {
      entry.withdrawn[Fields.accessList] = edited
    }
    entry.acl = served
  }

  /// Whether the app has inserted a row again that the server knows, and no step has reconciled that.
  private var isBack: Bool {
    hasWholeBase && entry.kind == .update && entry.createdAt != nil || entry.mayFollowUndoneDelete
  }

  /// Whether the entry takes a record of the server for a new one.
  ///
  /// A trigger of the app inserted the row again, and the log has the insert before the delete.
  func lacksIdentity(of old: Record) -> Bool {
    old.createdAt != nil && entry.createdAt == nil && entry.attempts.isEmpty
      && entry.kind == .create
  }

  /// The app deleted the row; false if the server never knew it.
  mutating func delete(_ old: Record) -> Bool {
    let old = isBack ? old.completed(by: knownList) : old
    if isBack, let list = old.contents[Fields.accessList], list != servedList,
      entry.base[Fields.accessList] == nil
    {
      entry.base[Fields.accessList] = servedList
    }
    widenBase(with: old)
    entry.withdrawn = unsent(of: old)
    withdrawAccessList(of: old)
    rewritten = old.fields.only(entry.rewritten)
    if entry.createdAt != nil {
      entry.kind = .delete
    } else if entry.attempts.isEmpty {
      return false
    } else {
      entry.kind = .deleteAfterCreate
    }
    return true
  }

  /// The edits that the row takes with it: what it held and the server was not known to hold.
  ///
  /// A request may bring the server another value after all, also where the row has the value of before again.
  private func unsent(of old: Record) -> Fields {
    let names = old.fields.difference(from: entry.base.withoutAccessList)
      .union(entry.fieldsSentOtherwise(than: old.fields))
      .subtracting(entry.rewritten)
    return Fields(
      Dictionary(
        names.map { ($0, old[$0]) }, uniquingKeysWith: { first, _ in first }))
  }

  var isDelete: Bool { entry.kind == .delete || entry.kind == .deleteAfterCreate }

  /// The app inserted the record again.
  ///
  /// - Parameters:
  ///   - inserted: The row as it is now. Where it holds something else than the engine's own change, this is an edit.
  ///   - merged: The fields with a merge.
  mutating func bringBack(as inserted: Fields, merged: Set<String>) {
    compareMerged(merged)
    returningList = entry.withdrawn[Fields.accessList]
    for name in entry.withdrawn.withoutAccessList.names {
      baseOfWithdrawn[name] = entry.base[name] ?? .null
    }
    entry.withdrawn = Fields()
    if let rewritten {
      entry.rewritten.subtract(inserted.only(entry.rewritten).difference(from: rewritten))
    }
    switch entry.kind {
    case .delete where entry.createdAt == nil || entry.hasUnresolvedDelete: entry.kind = .create
    case .delete:
      entry.kind = .update
      entry.lastKnown = Fields()
    case .deleteAfterCreate: entry.kind = .create
    case .create, .update: break
    }
    if entry.kind == .update { entry.reopenIncrements() }
  }

  /// Compares the fields with a merge to what the app knew when it deleted the row.
  ///
  /// The row comes back with the values of then. Compared to what imports have brought since, the difference would take
  /// back what other clients have added.
  private mutating func compareMerged(_ merged: Set<String>) {
    guard isDelete else { return }
    let known = entry.knownToApp
    guard !known.isEmpty else { return }
    for name in merged {
      let seen = known[name] ?? .null
      guard seen != entry.base[name] ?? .null else { continue }
      entry.base[name] = seen
      entry.isOutdated = true
    }
    guard entry.isOutdated else { return }
    entry.baseVersion = nil
    entry.acknowledgedVersion = nil
  }

  /// An edit makes an inactive entry ready to be sent again.
  mutating func wake(at token: HistoryToken) {
    entry.foldedThrough = token
    entry.failures.endPause()
    switch entry.state {
    case .ready, .sending, .inDoubt: break
    // An edit says nothing of an addition of unknown outcome.
    case .parked where entry.awaitsDecision: break
    case .parked: entry.retry()
    case .blocked, .confirming: entry.enterAfterEdit()
    }
  }

  /// Computes what must be sent from the row's present values; false if nothing is left.
  mutating func reconcile(on current: Record?) -> Bool {
    let filled = Set(current?.contents.values.filter { $1.isSent }.keys.map(\.self) ?? [])
    switch entry.kind {
    case .delete, .deleteAfterCreate:
      entry.changed = []
      entry.rewritten = []
      entry.base.values = entry.base.values.filter { !$1.isNull }
      if entry.kind == .deleteAfterCreate && !entry.hasUnresolvedAttempts {
        entry.enter(.confirming)
      }
      return true
    case .create:
      entry.changed = filled
      // Of a delete that the app took back: a field without a value needs no base.
      entry.base.values = entry.base.values.filter { !$1.isNull }
      if !entry.mayFollowUndoneDelete { entry.acl = .null }
      return true
    case .update:
      guard let current else { return true }
      return reconcileUpdate(on: current, filled)
    }
  }

  private mutating func reconcileUpdate(on current: Record, _ filled: Set<String>) -> Bool {
    // Of a row that was inserted again: the list that it was given is an edit, and no list is none.
    if hasWholeBase, entry.createdAt != nil {
      entry.base[Fields.accessList] = servedList
    }
    let contents = (hasWholeBase ? current.completed(by: knownList) : current).contents
    var candidates = entry.changed.union(entry.base.values.keys)
    if hasWholeBase {
      candidates.formUnion(filled)
      for attempt in entry.attempts { candidates.formUnion(attempt.carried.values.keys) }
      for name in candidates where entry.base[name] == nil { entry.base[name] = .null }
    }
    entry.changed = candidates.filter { entry.isDue($0, in: contents) }
    entry.trimBase()
    entry.acl = .null
    // A rule of another program goes on keeping the row as it is.
    if entry.hasUnresolvedAttempts || entry.isOutdated,
      entry.state == .ready || entry.state == .confirming
    {
      entry.enterAfterEdit()
    }
    guard entry.changed.isEmpty, !entry.isOutdated else { return true }
    if entry.state == .ready { entry.enter(.confirming) }
    return !entry.attempts.isEmpty
  }
}

extension Value {
  /// Whether a create sends the value; nobody writes a relation.
  fileprivate var isSent: Bool {
    switch self {
    case .null, .relation: false
    case .string, .integer, .number, .boolean, .date, .pointer, .bytes, .object, .array, .geoPoint,
      .polygon, .file:
      true
    }
  }
}
