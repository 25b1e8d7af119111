// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// One unsaved edit: what the app wants of a row, and the row as the app saw it.
struct SnapshotEdit: Sendable, Equatable {
  enum Kind: Sendable, Equatable {
    case insert, update, delete
  }

  var kind: Kind
  /// The values of an insert or an update.
  var values: Fields
  /// The row as the app saw it, by which a change of others is known; a new row has no fields.
  var seen: Record
  /// The row as the store had it when it was last read; nil if it is gone, or not inserted yet.
  var stored: Record?
  /// Values that a save of this snapshot left in the store, in fields that the app sees otherwise; they are no changes
  /// of others.
  var left = Fields()

  /// The row as the app shows it; nil if the app wants it deleted.
  var shown: Record? { kind == .delete ? nil : seen.replacing(values) }

  /// The changes of others that the app has not seen, and that this edit would overwrite.
  var conflicts: [SnapshotConflict] {
    switch kind {
    case .insert: []
    case .update: stored.map(changedFields) ?? [conflict(nil, seen.fields, values, nil)]
    case .delete: stored.map(changedRow) ?? []
    }
  }

  private func changedFields(in stored: Record) -> [SnapshotConflict] {
    values.names.compactMap { name in
      let (value, mine) = (stored[name], values[name] ?? .null)
      guard value != seen[name], value != mine, left[name] != value else { return nil }
      return conflict(name, [name: seen[name]], [name: mine], [name: value])
    }
  }

  private func changedRow(in stored: Record) -> [SnapshotConflict] {
    let changed = unseenNames
    guard !changed.isEmpty else { return [] }
    return [conflict(nil, seen.values(of: changed), nil, stored.values(of: changed))]
  }

  private func conflict(
    _ field: String?, _ seen: Fields, _ edited: Fields?, _ stored: Fields?
  ) -> SnapshotConflict {
    SnapshotConflict(
      row: (self.stored ?? self.seen).reference, field: field, seen: seen, edited: edited,
      stored: stored)
  }

  /// The fields that others have changed since the app saw the row, and that the edit does not write.
  var unseenNames: Set<String> {
    guard let stored else { return [] }
    return stored.fields.difference(from: seen.fields).filter {
      left[$0] != stored[$0] && values[$0] == nil
    }
  }

  /// Whether the store has what the app wants.
  var isVoid: Bool {
    switch kind {
    case .insert: false
    case .update: values.isEmpty
    case .delete: stored == nil
    }
  }

  /// Takes note of the row as the store has it now; the app still sees the row as it was.
  mutating func compare(with present: Record?) {
    stored = present
    guard kind == .insert, present != nil else { return }
    // The row is back already, without a new one.
    kind = .update
    dropValues(of: seen)
  }

  /// Shows the app the row as the store has it now, but for the values that its edit would overwrite unseen.
  ///
  /// - Parameter isBeingSaved: Whether a save is writing other values of the row. Then each value stays, also one that
  ///   the store still has.
  /// - Returns: The rest of the edit; nil if the store has all that the app wants.
  func merged(isBeingSaved: Bool = false) -> SnapshotEdit? {
    var edit = self
    if let stored {
      let open = Set(conflicts.flatMap { $0.field.map { [$0] } ?? $0.seen.names })
      edit.seen = stored.replacing(seen.values(of: open))
      edit.left = Fields()
      if !isBeingSaved { edit.dropValues(of: stored) }
    }
    return edit.isVoid && !isBeingSaved ? nil : edit
  }

  /// Drops the values that a row has, too.
  mutating func dropValues(of row: Record) {
    values = Fields(values.values.filter { name, value in row[name] != value })
  }

  /// The rest of the edit over a row that was saved while the app edited on; nil for nothing.
  func over(_ row: Record, left: Fields) -> SnapshotEdit? {
    var edit = SnapshotEdit(
      kind: kind == .delete ? .delete : .update, values: values, seen: row, stored: row, left: left)
    edit.dropValues(of: row)
    return edit.isVoid ? nil : edit
  }

  /// Gives pointers the ids that the server has chosen since.
  mutating func rename(by aliases: [Pointer: String]) {
    guard !aliases.isEmpty else { return }
    values = values.replacingPointers { aliases[$0] }
    left = left.replacingPointers { aliases[$0] }
    seen.rename(by: aliases)
  }

  /// Gives new files the names of the server that the row has for them by now.
  mutating func nameFiles(by row: Record, _ sentFiles: SentFileNames) {
    func named(_ fields: Fields) -> Fields {
      let names = fields.names.filter { sentFiles.isNamed(fields[$0], by: row[$0]) }
      return names.isEmpty ? fields : fields.merging(row.values(of: names))
    }
    (values, left, seen.fields) = (named(values), named(left), named(seen.fields))
  }

  /// The edit of the same row under its former id, with this one on top, which is the newer one.
  func over(_ former: SnapshotEdit) -> SnapshotEdit {
    var edit = self
    if kind != .delete { edit.values = former.values.merging(values) }
    return edit
  }

  /// Settles a conflict of this edit for one side; the edit may be void then.
  mutating func resolve(_ conflict: SnapshotConflict, keeping side: SnapshotConflict.Side) {
    switch (side, stored) {
    case (.edit, let stored?):
      let names = conflict.field.map { [$0] } ?? stored.fields.names + seen.fields.names
      seen = seen.replacing(stored.values(of: names))
    case (.edit, nil):
      // The server has deleted the old id for good, so the row comes back as a new one, as private as it was.
      (kind, values) = (.insert, seen.fields.merging(values))
    case (.stored, let stored?) where kind == .update:
      guard let field = conflict.field else { return }
      values.values.removeValue(forKey: field)
      seen = seen.replacing([field: stored[field]])
    case (.stored, _):
      (kind, values) = (.update, Fields())
      seen = stored ?? seen
    }
  }
}

extension Record {
  /// The values of some fields, with a null for each that has none.
  func values(of names: some Sequence<String>) -> Fields {
    Fields(Dictionary(names.map { ($0, self[$0]) }) { first, _ in first })
  }

  /// The row with other values in some fields; null removes a value.
  func replacing(_ values: Fields) -> Record {
    guard !values.isEmpty else { return self }
    var row = self
    for (name, value) in values.values {
      if value.isNull {
        row.fields.values.removeValue(forKey: name)
      } else {
        row.fields[name] = value
      }
    }
    return row
  }
}
