// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning

/// The rows of a snapshot and the edits over them, as a value.
struct SnapshotState: Sendable {
  /// The rows of the query as they were merged last, with what was saved since.
  private(set) var list: [Record] = []
  private(set) var edits: [LocalID: SnapshotEdit] = [:]
  private var places: [LocalID: Int] = [:]
  /// The ids of saved rows, by the ids that the snapshot gave them before.
  private var names: [LocalID: LocalID] = [:]
  private var lastNewRow = LocalID()
  /// The newest position in history that the snapshot knows.
  private var token = HistoryToken.start

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

  /// The row's id in the store, once it was saved.
  func present(_ id: LocalID) -> LocalID { names[id] ?? id }

  /// The changes of others that the edits would overwrite.
  var conflicts: [SnapshotConflict] { edits.inOrder.flatMap(\.value.conflicts) }

  /// Takes over what a view says.
  ///
  /// - Returns: Whether the view is as new as what the snapshot knows.
  mutating func merge(_ view: SnapshotView) -> Bool {
    guard view.token >= token else { return false }
    token = view.token
    list = view.rows
    indexPlaces()
    for (id, edit) in edits {
      let listed = places[id].map { list[$0] }
      // The app may have edited a row while the view was read.
      guard listed != nil || view.asked.contains(id) else { continue }
      edits[id] = view.compared(edit, with: view.present[id] ?? listed).merged()
    }
    return true
  }

  private mutating func indexPlaces() {
    places = Dictionary(
      list.enumerated().map { ($1.localID, $0) }, uniquingKeysWith: { first, _ in first })
  }
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
    if let stored = edit.stored, edit.kind == .update {
      // A value that leads back to what is stored, and was seen, is no edit.
      edit.values = Fields(
        edit.values.values.filter { name, value in
          value != stored[name] || value != edit.seen[name]
        })
    }
    edits[id] = edit.isVoid ? nil : edit
    return true
  }

  /// - Returns: Whether the snapshot shows such a row. A save that is under way may insert it.
  mutating func delete(_ id: LocalID, isSaving: Bool) -> Bool {
    let id = present(id)
    guard var edit = edit(of: id, .delete), row(id) != nil else { return false }
    if edit.kind == .insert && !isSaving {
      edits[id] = nil
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

  mutating func revert(_ id: LocalID) { edits[present(id)] = nil }

  mutating func revertAll() { edits = [:] }

  /// - Returns: Whether the conflict was there.
  mutating func resolve(
    _ conflict: SnapshotConflict, keeping side: SnapshotConflict.Side
  ) -> Bool {
    let id = conflict.row.localID
    guard var edit = edits[id], edit.conflicts.contains(conflict) else { return false }
    edit.resolve(conflict, keeping: side)
    edits[id] = edit.isVoid ? nil : edit
    return true
  }
}

// MARK: saving

extension SnapshotState {
  /// Takes over the outcome of a save; the app may have edited on meanwhile.
  ///
  /// - Parameters:
  ///   - saving: The outcome.
  ///   - given: The edits that the save was given.
  mutating func conclude(_ saving: SnapshotSaving, of given: [LocalID: SnapshotEdit]) {
    guard !saving.isRefused else {
      for (id, edit) in given where edits[id] == edit { edits[id] = saving.edits[id] }
      return forgetDeletedNewRows()
    }
    token = max(token, saving.token)
    var deleted = Set<LocalID>()
    for (id, edit) in given.inOrder {
      guard edit.kind != .delete else {
        deleted.insert(id)
        if edits[id] == edit { edits[id] = nil }
        continue
      }
      let row = savedRow(edit, id, saving)
      if let place = places[id] { list[place] = row } else { list.append(row) }
      let later = edits.removeValue(forKey: id)
      if row.localID != id { names[id] = row.localID }
      if let later, later != edit { edits[row.localID] = later.over(row) }
    }
    list.removeAll { deleted.contains($0.localID) }
    indexPlaces()
  }

  private func savedRow(_ edit: SnapshotEdit, _ id: LocalID, _ saving: SnapshotSaving) -> Record {
    var row = edit.shown ?? edit.seen
    guard let name = saving.inserted[id] else { return row }
    (row.localID, row.objectID) = (name.localID, name.objectID)
    (row.createdAt, row.version) = (nil, nil)
    return row
  }

  /// Drops deletes of rows that a save would have inserted, and did not.
  mutating func forgetDeletedNewRows() {
    edits = edits.filter { id, edit in id.isAssigned || edit.kind != .delete }
  }
}

extension SnapshotEdit {
  /// The rest of an edit over a row that was saved while the app edited on; nil for nothing.
  fileprivate func over(_ row: Record) -> SnapshotEdit? {
    let rest = values.values.filter { name, value in value != row[name] }
    let edit = SnapshotEdit(
      kind: kind == .delete ? .delete : .update, values: Fields(rest), seen: row, stored: row)
    return edit.isVoid ? nil : edit
  }
}
