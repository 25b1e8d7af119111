// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// The rows of a snapshot and the edits over them, as a value.
struct SnapshotState: Sendable, Equatable {
  /// The rows of the query as they were merged last, with what was saved since.
  private(set) var list: [Record] = []
  private(set) var edits: [LocalID: SnapshotEdit] = [:]
  /// The edits that a save is writing; nil while there is no save.
  private(set) var saving: [LocalID: SnapshotEdit]?
  private var places: [LocalID: Int] = [:]
  /// The ids of rows, by the ids that they had in the snapshot before; no chain of them comes back to its start.
  private var names: [LocalID: LocalID] = [:]
  /// Values that saves left in rows of the list, in fields that the list shows otherwise until the next merge.
  private var left: [LocalID: Fields] = [:]
  private var lastNewRow = LocalID()

  /// The rows as the app shows them.
  var rows: [Record] {
    guard !edits.isEmpty else { return list }
    let listed = list.compactMap { row in edits[row.localID].map(\.shown) ?? row }
    let others = edits.inOrder.filter { places[$0.key] == nil }
    return listed + others.compactMap(\.value.shown)
  }

  /// The row as the app shows it; nil if the snapshot has no such row.
  func row(_ id: LocalID) -> Record? {
    let id = present(id)
    return edits[id].map(\.shown) ?? places[id].map { list[$0] }
  }

  /// The id under which the snapshot has a row, which may have been saved since.
  private func present(_ id: LocalID) -> LocalID {
    var id = id
    while edits[id] == nil, places[id] == nil, let name = names[id] { id = name }
    return id
  }

  /// The changes of others that the edits would overwrite.
  var conflicts: [SnapshotConflict] { edits.inOrder.flatMap(\.value.conflicts) }

  /// Takes over the rows of a view.
  ///
  /// - Parameters:
  ///   - view: The view.
  ///   - outcome: The outcome of the save that is under way, if it has come so far.
  mutating func merge(_ view: SnapshotView, after outcome: SnapshotSaving? = nil) {
    (list, left) = (view.rows, [:])
    indexPlaces()
    if let outcome { takeOverListedInserts(of: outcome) }
    for (id, edit) in edits {
      let isAsked = view.asked.contains(id)
      // The app may have edited a row while the view was read.
      let row = isAsked ? view.present[id] : listed(id)
      guard row != nil || isAsked else { continue }
      edits[id] = view.compared(edit, with: row).merged(isBeingSaved: isBeingSaved(id))
      if let row { forward(id, to: row.localID) }
    }
    followMovedRecords()
  }

  /// Ends the insert of new rows that the list has already; so the app sees each of them once.
  private mutating func takeOverListedInserts(of saved: SnapshotSaving) {
    for (id, name) in saved.inserted {
      guard listed(name.localID)?.objectID == name.objectID,
        let edit = saving?.removeValue(forKey: id)
      else { continue }
      let row = savedRow(edit, id, of: saved, over: nil)
      let later = edits.removeValue(forKey: id)
      edits[name.localID] = later?.over(row, left: saved.left(in: row, id))
      forward(id, to: name.localID)
    }
  }

  /// Moves edits to the local ids that their records have now.
  private mutating func followMovedRecords() {
    for (id, var edit) in edits.inOrder {
      guard let row = edit.stored, row.localID != id, !isBeingSaved(id) else { continue }
      let former = edit.seen.objectID
      (edit.seen.localID, edit.seen.objectID) = (row.localID, row.objectID)
      edits[id] = nil
      edits[row.localID] = edits[row.localID]?.over(edit) ?? edit
      forward(id, to: row.localID)
      // The id may be the one of another record by now.
      guard let place = place(of: id, objectID: former) else { continue }
      if listed(row.localID) == nil {
        (list[place].localID, list[place].objectID) = (row.localID, row.objectID)
      } else {
        list.remove(at: place)
      }
      indexPlaces()
    }
  }

  private func listed(_ id: LocalID) -> Record? { places[id].map { list[$0] } }

  private func place(of id: LocalID, objectID: String) -> Int? {
    places[id].flatMap { list[$0].objectID == objectID ? $0 : nil }
  }

  /// Lets an id lead to the row that has another one now.
  private mutating func forward(_ id: LocalID, to row: LocalID) {
    // A store that goes back to a backup gives ids again: a row of now leads nowhere else.
    names[row] = nil
    if row != id { names[id] = row }
  }

  private mutating func indexPlaces() {
    places = Dictionary(
      list.enumerated().map { ($1.localID, $0) }, uniquingKeysWith: { first, _ in first })
  }

  private func isBeingSaved(_ id: LocalID) -> Bool { saving?[id] != nil }
}

// MARK: editing

extension SnapshotState {
  mutating func insert(_ values: Fields, in className: String) -> LocalID {
    lastNewRow.rawValue -= 1
    let row = Record(className: className, localID: lastNewRow, objectID: "", fields: Fields())
    edits[lastNewRow] = SnapshotEdit(kind: .insert, values: values, seen: row)
    return lastNewRow
  }

  /// - Returns: Whether the snapshot shows such a row.
  mutating func update(_ id: LocalID, _ values: Fields) -> Bool {
    let id = present(id)
    guard var edit = edit(of: id, .update), edit.kind != .delete else { return false }
    edit.values = edit.values.merging(values)
    put(edit, for: id)
    return true
  }

  /// - Returns: Whether the snapshot shows such a row.
  mutating func delete(_ id: LocalID) -> Bool {
    let id = present(id)
    guard var edit = edit(of: id, .delete), row(id) != nil else { return false }
    // The store does not have the row, unless a save is inserting it.
    if edit.kind == .insert && !isBeingSaved(id) {
      drop(id)
    } else {
      (edit.kind, edit.values) = (.delete, Fields())
      edits[id] = edit
    }
    return true
  }

  private func edit(of id: LocalID, _ kind: SnapshotEdit.Kind) -> SnapshotEdit? {
    if let edit = edits[id] { return edit }
    guard let row = places[id].map({ list[$0] }) else { return nil }
    return SnapshotEdit(
      kind: kind, values: Fields(), seen: row, stored: row, left: left[id] ?? Fields())
  }

  /// Keeps an edit, without values that lead back to what the app saw.
  private mutating func put(_ edit: SnapshotEdit, for id: LocalID) {
    var edit = edit
    guard edit.kind == .update, !isBeingSaved(id) else { return edits[id] = edit }
    edit.dropValues(of: edit.seen)
    edits[id] = edit.isVoid ? nil : edit
    if edit.isVoid, let place = places[id] { list[place] = edit.seen }
  }

  /// Takes a row that the store does not have out of sight.
  private mutating func drop(_ id: LocalID) {
    edits[id] = nil
    list.removeAll { $0.localID == id }
    indexPlaces()
  }

  mutating func revert(_ id: LocalID) { edits[present(id)] = nil }

  mutating func revertAll() { edits = [:] }

  /// - Returns: Whether the conflict was there.
  mutating func resolve(
    _ conflict: SnapshotConflict, keeping side: SnapshotConflict.Side
  ) -> Bool {
    let id = conflict.row.localID
    guard var edit = edits[id], edit.conflicts.contains(conflict) else { return false }
    edit.resolve(conflict, keeping: side)
    if edit.isVoid && edit.stored == nil { drop(id) } else { put(edit, for: id) }
    return true
  }
}

// MARK: saving

extension SnapshotState {
  /// The edits for a save, which are kept apart from later ones until it ends.
  mutating func beginSaving() -> [LocalID: SnapshotEdit] {
    saving = edits
    return edits
  }

  /// Goes on after a save that has written nothing.
  mutating func abandonSaving() {
    saving = nil
    for (id, edit) in edits {
      // The app has deleted a new row that the save would have inserted.
      if !id.isAssigned && edit.kind == .delete { edits[id] = nil } else { put(edit, for: id) }
    }
    followMovedRecords()
  }

  /// Takes over the outcome of a save; the app may have edited on meanwhile.
  mutating func conclude(_ saved: SnapshotSaving) {
    guard !saved.isRefused else {
      for (id, edit) in saved.edits { edits[id]?.compare(with: edit.stored) }
      return abandonSaving()
    }
    let given = saving ?? [:]
    saving = nil
    var gone = Set<LocalID>()
    for (id, edit) in given.inOrder {
      let later = edits.removeValue(forKey: id)
      guard edit.kind != .delete else {
        gone.formUnion([id, saved.edits[id]?.stored?.localID ?? id])
        if let later, later.kind != .delete { edits[id] = later }
        continue
      }
      let row = savedRow(edit, id, of: saved, over: later?.seen)
      show(row, insteadOf: id, edit.seen.objectID)
      left[row.localID] = saved.left(in: row, id)
      guard let rest = later?.over(row, left: saved.left(in: row, id)) else { continue }
      // A merge may have shown the row under another id before the save was over, and the app may have edited it there.
      edits[row.localID] = edits[row.localID]?.over(rest) ?? rest
    }
    list.removeAll { gone.contains($0.localID) }
    indexPlaces()
  }

  private func savedRow(
    _ edit: SnapshotEdit, _ id: LocalID, of saved: SnapshotSaving, over seen: Record?
  ) -> Record {
    guard let name = saved.inserted[id] else {
      let written = saved.written[id]
      let moved = written.flatMap { $0.localID == id ? nil : $0 }
      var row =
        moved.flatMap { listed($0.localID) } ?? seen ?? (moved == nil ? listed(id) : nil)
        ?? edit.seen
      if let moved { (row.localID, row.objectID) = (moved.localID, moved.objectID) }
      return row.replacing(edit.values)
    }
    var row = edit.seen.replacing(edit.values)
    (row.localID, row.objectID) = (name.localID, name.objectID)
    (row.createdAt, row.version) = (nil, nil)
    return row
  }

  private mutating func show(_ row: Record, insteadOf id: LocalID, _ objectID: String) {
    if let place = places[row.localID] ?? place(of: id, objectID: objectID) {
      list[place] = row
      places[row.localID] = place
    } else {
      places[row.localID] = list.count
      list.append(row)
    }
    forward(id, to: row.localID)
  }
}

extension SnapshotSaving {
  /// The values that the save left in a row, in the fields that the app sees otherwise.
  fileprivate func left(in row: Record, _ id: LocalID) -> Fields {
    guard let written = written[id] else { return Fields() }
    return written.values(of: written.fields.difference(from: row.fields))
  }
}
