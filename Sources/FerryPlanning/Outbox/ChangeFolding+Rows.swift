// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

// The effect of one log row on the entries.
extension ChangeFolding {
  mutating func apply(_ row: LogRow) {
    switch row.kind {
    case .insert: insert(row)
    case .update(let old): update(row, old)
    case .delete(let old): delete(row, old)
    case .late(let old, nil): finish(row, of: nil, based(old, at: row))
    case .late(let old, let objectID): finish(row, of: objectID, old)
    case .lateInsert(let old): finishInsert(row, old)
    }
  }

  private mutating func insert(_ row: LogRow) {
    guard let record = lives.record(of: row) else { return }
    if var draft = drafts[record.pointer] {
      draft.bringBack(as: record.fields, merged: merged)
      return place(draft, at: row)
    }
    var draft = Draft(record.unknownToServer, localID: row.localID, at: row.token)
    draft.entry.acl = accessLists[record.pointer] ?? .null
    draft.entry.lastKnown = lastKnown[record.objectID] ?? Fields()
    place(draft, at: row)
  }

  /// A trigger of the app may update a row before the log has its insert.
  private mutating func update(_ row: LogRow, _ old: Fields) {
    guard let record = lives.record(of: row) else { return }
    var draft = drafts[record.pointer] ?? Draft(record, localID: row.localID, at: row.token)
    draft.edit(old: old)
    place(draft, at: row)
  }

  private mutating func delete(_ row: LogRow, _ old: Record) {
    var draft = drafts[old.pointer] ?? Draft(old, localID: row.localID, at: row.token)
    if draft.lacksIdentity(of: old) { draft = Draft(old, localID: row.localID, at: row.token) }
    defer { deleted[old.pointer] = row.token }
    draft.know(leftOut[old.pointer] ?? Fields())
    if draft.delete(old) {
      place(draft, at: row)
    } else {
      drafts[old.pointer] = nil
      withdrawn.insert(old.pointer)
      if !old.acl.isNull { accessLists[old.pointer] = old.acl }
      touched.insert(old.pointer)
    }
  }

  /// Folds the rest of an edit; the record may have another row since, and keeps it.
  private mutating func finish(_ row: LogRow, of objectID: String?, _ old: Fields) {
    let pointer = objectID.map { Pointer(className: row.className, objectID: $0) }
    guard let record = pointer ?? lives.pointer(of: row) else { return }
    let present = lives.present(record)
    let localID = present?.localID ?? row.localID
    guard
      var draft = drafts[record]
        ?? lives.known(record).map({ Draft($0, localID: localID, at: row.token) })
    else { return }
    var old = old
    if objectID != nil, !draft.isDelete {
      let given = given(by: present)
      leaveOut(old.only(Set(old.values.keys).subtracting(given)), of: record, &draft)
      old = old.only(given)
    }
    draft.editLate(old: old)
    if !draft.isDelete { draft.wake(at: row.token) }
    drafts[record] = draft
    touched.insert(record)
  }

  /// Notes fields that the insert of another program seems to leave out: the row has no value in them now.
  private mutating func leaveOut(_ removed: Fields, of record: Pointer, _ draft: inout Draft) {
    let fields = removed.values.filter { !$1.isNull }
    guard !fields.isEmpty else { return }
    for (name, value) in fields where leftOut[record]?.values[name] == nil {
      leftOut[record, default: Fields()].values[name] = draft.entry.base.values[name] ?? value
    }
    draft.leaveOut(fields.keys)
  }

  /// The old values of an update, with those of the server for fields that seemed to be left out.
  ///
  /// The app edited them after the insert, so the row's emptiness is its edit.
  private mutating func based(_ old: Fields, at row: LogRow) -> Fields {
    guard let record = lives.pointer(of: row),
      let bases = leftOut[record]?.only(Set(old.values.keys))
    else { return old }
    for name in bases.values.keys { leftOut[record]?.values[name] = nil }
    return old.merging(bases)
  }

  /// Folds the rest of an insert: the fields that it gave a value.
  private mutating func finishInsert(_ row: LogRow, _ old: Fields) {
    let record = lives.pointer(of: row)
    let given = given(by: record.flatMap { lives.present($0) })
    let seemsLeftOut = record.flatMap { leftOut[$0] } ?? Fields()
    // A field that the server has, as the log says, was cleared.
    let edited = old.values.filter { name, value in
      !value.isNull || given.contains(name)
        || defaults[name] == nil && seemsLeftOut.values[name] == nil
    }
    if !edited.isEmpty { finish(row, of: nil, old.only(Set(edited.keys))) }
  }

  /// The fields of a row to which its insert gave a value.
  ///
  /// A field without a value, or with its default, may have been left out by a program that does not declare it.
  private func given(by row: Record?) -> Set<String> {
    Set(row?.fields.values.filter { $1 != defaults[$0] }.keys.map(\.self) ?? [])
  }

  /// Moves a draft to the row that the log names.
  private mutating func place(_ draft: Draft, at row: LogRow) {
    var draft = draft
    draft.entry.localID = row.localID
    draft.wake(at: row.token)
    drafts[draft.entry.pointer] = draft
    touched.insert(draft.entry.pointer)
    deleted[draft.entry.pointer] = nil
  }

  /// Takes back deletes of records that have a row.
  ///
  /// A trigger of the app may insert a row again as it is deleted. The log has that insert before the delete.
  mutating func bringBackDeleted() {
    guard !deleted.isEmpty else { return }
    for row in lives.presentRows {
      guard let token = deleted[row.pointer] else { continue }
      var draft: Draft
      if let delete = drafts[row.pointer] {
        draft = delete
        draft.bringBack(as: row.fields, merged: merged)
        draft.entry.localID = row.localID
      } else {
        draft = Draft(row, localID: row.localID, at: token)
        draft.entry.acl = accessLists[row.pointer] ?? .null
      }
      drafts[row.pointer] = draft
    }
  }
}
