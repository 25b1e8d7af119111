// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

// The effect of one log row on the entries.
extension ChangeFolding {
  mutating func apply(_ row: LogRow) {
    switch row.kind {
    case .insert: insert(row)
    case .update(let old): update(row, old)
    case .delete(let old): delete(row, old)
    }
  }

  private mutating func insert(_ row: LogRow) {
    guard let record = identities[row.key] else { return }
    let object = ObjectKey(row.className, record)
    if !bringBack(object, at: row) {
      var isNew = record
      isNew.createdAt = nil
      isNew.version = nil
      var draft = Draft(isNew, localID: row.localID, at: row.token)
      draft.entry.acl = accessLists[object] ?? .null
      place(draft, from: row.key, at: row)
    }
  }

  /// The app inserted a record again that has an entry; false if it has none.
  private mutating func bringBack(_ object: ObjectKey, at row: LogRow) -> Bool {
    guard let key = keys[object], var draft = drafts[key] else { return false }
    draft.bringBack()
    place(draft, from: key, at: row)
    return true
  }

  /// A trigger of the app may update a row before the log has its insert.
  private mutating func update(_ row: LogRow, _ old: Fields) {
    guard let record = identities[row.key] else { return }
    if drafts[row.key] == nil { _ = bringBack(ObjectKey(row.className, record), at: row) }
    var draft = drafts[row.key] ?? Draft(record, localID: row.localID, at: row.token)
    draft.edit(old: old)
    place(draft, from: row.key, at: row)
  }

  private mutating func delete(_ row: LogRow, _ old: Record) {
    var draft = drafts[row.key] ?? Draft(old, localID: row.localID, at: row.token)
    if draft.delete(old) {
      place(draft, from: row.key, at: row)
    } else {
      drafts[row.key] = nil
      keys[ObjectKey(row.className, old)] = nil
      withdrawn.insert(ObjectKey(row.className, old))
      if !old.acl.isNull { accessLists[ObjectKey(row.className, old)] = old.acl }
      touched.insert(row.key)
    }
  }

  /// Moves a draft to the row that the log names.
  private mutating func place(_ draft: Draft, from key: RecordKey, at row: LogRow) {
    var draft = draft
    draft.entry.localID = row.localID
    draft.wake(at: row.token)
    drafts[key] = nil
    drafts[row.key] = draft
    keys[ObjectKey(className: row.className, objectID: draft.entry.objectID)] = row.key
    touched.formUnion([key, row.key])
  }
}

extension ChangeFolding.ObjectKey {
  fileprivate init(_ className: String, _ record: Record) {
    self.init(className: className, objectID: record.objectID)
  }
}
