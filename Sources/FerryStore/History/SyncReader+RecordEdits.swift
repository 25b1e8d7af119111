// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
package import FerryPlanning

extension SyncReader {
  package func edits(of transaction: HistoryTransaction) throws(StoreError) -> [RecordEdit] {
    let tokens = transaction.first...max(transaction.token, transaction.first)
    return try PastEdits(from: tokens.lowerBound, in: self) { tokens.contains($0.token) }.net(
      schema)
  }

  package func edits(of changes: [Change]) throws(StoreError) -> [HistoryToken: RecordEdit] {
    let tokens = Set(changes.map(\.token))
    guard let first = tokens.min() else { return [:] }
    return try PastEdits(from: first, in: self) { tokens.contains($0.token) }.each(schema)
  }
}

/// The history of rows, from the first change of interest to the present.
private struct PastEdits {
  private var changes: [(logged: LoggedChange, isWanted: Bool)] = []
  private var keys: Set<RecordKey> = []
  private var present: [Record] = []
  private var aliases: [String: String] = [:]
  private var sentFiles = SentFileNames()

  /// Reads history twice: first for the rows of the wanted changes of the app, then for all that happened to them.
  init(
    from first: HistoryToken, in reader: any SyncReader, where isWanted: (Change) -> Bool
  ) throws(StoreError) {
    let before = HistoryToken(rawValue: max(first.rawValue - 1, 0))
    var keys: Set<RecordKey> = []
    try reader.forEachLogged(after: before, withValues: false) { logged in
      if logged.change.author == .app, isWanted(logged.change) { keys.insert(logged.change.key) }
      return true
    }
    let followed = BackwardHistory(of: keys, present: [])
    var changes: [(LoggedChange, Bool)] = []
    try reader.forEachLogged(after: before, withValues: true) { logged in
      if !followed.keys(of: logged.change).isEmpty {
        changes.append((logged, logged.change.author == .app && isWanted(logged.change)))
      }
      return true
    }
    for (className, keys) in Dictionary(grouping: keys, by: \.className) {
      present += try reader.records(of: className, localIDs: keys.map(\.localID))
    }
    (self.keys, self.changes) = (keys, changes)
    let replaced = changes.compactMap { logged, _ -> Fields? in
      guard logged.change.author == .sync, case .update(let old)? = logged.destroyed else {
        return nil
      }
      return old
    }
    let ids = replaced.reduce(into: Set<String>()) { $0.formUnion($1.mintedPointerIDs) }
    if !ids.isEmpty { aliases = try reader.aliases(of: ids.sorted()) }
    sentFiles = try reader.sentFileNames(forAnyIn: replaced)
  }

  /// The wanted changes, those of a row put together, in the order of class and local id.
  func net(_ schema: Schema) throws(StoreError) -> [RecordEdit] {
    var rows = BackwardHistory(of: keys, present: present, aliases: aliases, sentFiles: sentFiles)
    var after: [RecordKey: PastRow?] = [:]
    var before: [RecordKey: PastRow?] = [:]
    var touched: [RecordKey: Set<String>] = [:]
    var last: [RecordKey: HistoryToken] = [:]
    var deleted: Set<RecordKey> = []
    for (logged, isWanted) in changes.reversed() {
      let key = logged.change.key
      if isWanted, after[key] == nil {
        after.updateValue(rows.rows[key], forKey: key)
        last[key] = logged.change.token
      }
      if isWanted, logged.change.kind == .delete { deleted.insert(key) }
      rows.goBack(before: logged)
      guard isWanted else { continue }
      before.updateValue(rows.rows[key], forKey: key)
      touched[key, default: []].formUnion(try logged.change.fields(in: schema))
    }
    return keys.sorted().compactMap { key in
      var edit = RecordEdit(
        key, from: before[key] ?? nil, to: after[key] ?? nil,
        fields: touched[key, default: []].sorted())
      edit?.lastChange = last[key] ?? .start
      edit?.hasReplacedRow = deleted.contains(key)
      return edit
    }
  }

  /// Each wanted change by itself.
  func each(_ schema: Schema) throws(StoreError) -> [HistoryToken: RecordEdit] {
    var rows = BackwardHistory(of: keys, present: present, aliases: aliases, sentFiles: sentFiles)
    var edits: [HistoryToken: RecordEdit] = [:]
    for (logged, isWanted) in changes.reversed() {
      let key = logged.change.key
      let after = rows.rows[key]
      rows.goBack(before: logged)
      guard isWanted else { continue }
      edits[logged.change.token] = RecordEdit(
        key, from: rows.rows[key], to: after, fields: try logged.change.fields(in: schema).sorted())
    }
    return edits
  }
}

extension Change {
  /// The first row; a change of the app has no other.
  fileprivate var key: RecordKey {
    RecordKey(className: className, localID: localIDs.lowerBound)
  }

  /// The fields whose values it may have changed.
  fileprivate func fields(in schema: Schema) throws(StoreError) -> Set<String> {
    kind == .update ? fields : Set(try schema.registered(className).valueNames)
  }
}

extension RecordEdit {
  /// The edit that leads from one state of a row to another; nil if they are the same.
  fileprivate init?(
    _ key: RecordKey, from old: PastRow?, to new: PastRow?, fields: [String]
  ) {
    // Where one row took the place of another, the edit is that of the earlier one.
    let objectID = [old, new].compactMap { $0?.objectID }.first { !$0.isEmpty } ?? ""
    let record = RecordReference(
      className: key.className, localID: key.localID, objectID: objectID)
    switch (old, new) {
    case (nil, nil): return nil
    case (nil, let new?):
      self.init(record: record, kind: .insert, before: Fields(), after: new.values(of: fields))
      acl = new[Fields.accessList] ?? .null
    case (let old?, nil):
      self.init(record: record, kind: .delete, before: old.values(of: fields), after: Fields())
      acl = old.acl
    case (let old?, let new?):
      let changed = fields.filter { old[$0] != new[$0] || old[$0] == nil }
      guard !changed.isEmpty else { return nil }
      self.init(
        record: record, kind: .update, before: old.values(of: changed),
        after: new.values(of: changed))
    }
  }
}
