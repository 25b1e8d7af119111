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
  /// The ids of saved rows, by the ids that the snapshot gave them before.
  private var names: [LocalID: LocalID] = [:]
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
  mutating func merge(_ view: SnapshotView) {
    list = view.rows
    indexPlaces()
    for (id, edit) in edits {
      let listed = places[id].map { list[$0] }
      // The app may have edited a row while the view was read.
      guard listed != nil || view.asked.contains(id) else { continue }
      edits[id] = view.compared(edit, with: view.present[id] ?? listed)
        .merged(isBeingSaved: isBeingSaved(id))
    }
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
    return SnapshotEdit(kind: kind, values: Fields(), seen: row, stored: row)
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
        gone.insert(id)
        if let later, later.kind != .delete { edits[id] = later }
        continue
      }
      let row = savedRow(edit, id, over: later?.seen, named: saved.inserted[id])
      show(row, insteadOf: id)
      guard var rest = later?.over(row) else { continue }
      // A merge may have shown the row before the save was over, and the app may have edited it there, too.
      rest.values = rest.values.merging(edits[row.localID]?.values ?? [:])
      edits[row.localID] = rest
    }
    list.removeAll { gone.contains($0.localID) }
    indexPlaces()
  }

  private func savedRow(
    _ edit: SnapshotEdit, _ id: LocalID, over seen: Record?, named name: RecordReference?
  ) -> Record {
    guard let name else {
      return (seen ?? places[id].map { list[$0] } ?? edit.seen).replacing(edit.values)
    }
    var row = edit.seen.replacing(edit.values)
    (row.localID, row.objectID) = (name.localID, name.objectID)
    (row.createdAt, row.version) = (nil, nil)
    return row
  }

  private mutating func show(_ row: Record, insteadOf id: LocalID) {
    if let place = places[row.localID] ?? places[id] {
      list[place] = row
    } else {
      places[row.localID] = list.count
      list.append(row)
    }
    if row.localID != id { names[id] = row.localID }
  }
}
