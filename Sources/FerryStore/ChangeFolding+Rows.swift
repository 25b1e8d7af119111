// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

// What one row of the log does to the entries.
extension ChangeFolding {
  mutating func apply(_ row: LogRow) {
    switch row.kind {
    case .displaced(let old):
      displaced[ObjectKey(row.className, old)] = Displacement(old: old, step: step)
      return
    case .delete(let old):
      let object = ObjectKey(row.className, old)
      // Directly after it was to be displaced: most likely part of a REPLACE.
      if displaced[object]?.step == step {
        displaced[object]?.delete = row
        return
      }
      displaced[object] = nil
      delete(row, old)
    case .insert: insert(row)
    case .update(let old): update(row, old)
    }
    step += 1
  }

  /// Applies the deletes that turned out to be part of no REPLACE.
  mutating func applyHeldDeletes() {
    let held = displaced.values.compactMap { displacement in
      displacement.delete.map { (row: $0, old: displacement.old) }
    }
    displaced = [:]
    for (row, old) in held.sorted(by: { $0.row.token < $1.row.token }) { delete(row, old) }
  }

  private mutating func insert(_ row: LogRow) {
    guard let record = identities[row.key] else { return }
    let object = ObjectKey(row.className, record)
    if let displacement = displaced.removeValue(forKey: object) {
      let old = displacement.old
      let key = keys[object] ?? old.key
      var draft = drafts[key] ?? Draft(old, localID: row.localID, at: row.token)
      draft.widenBase(with: old)
      place(draft, from: key, at: row)
    } else if let key = keys[object], var draft = drafts[key] {
      draft.bringBack()
      place(draft, from: key, at: row)
    } else {
      var isNew = record
      isNew.createdAt = nil
      isNew.version = nil
      place(Draft(isNew, localID: row.localID, at: row.token), from: row.key, at: row)
    }
  }

  private mutating func update(_ row: LogRow, _ old: Fields) {
    guard let record = identities[row.key] else { return }
    displaced[ObjectKey(row.className, record)] = nil
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
      touched.insert(row.key)
    }
  }

  /// Puts a draft where the log says that its row is now.
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
