// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore

/// The rows of a device at a moment, each under its object id.
struct DeviceRows: Equatable {
  /// A row with the fields that have a value.
  struct Row: Equatable {
    var name: String
    var localID: LocalID
    var fields: [String: Content]
  }

  var rows: [Pointer: Row] = [:]

  /// The edits that lead from here to other rows, each with the values before.
  ///
  /// A row goes only with the last one of its name.
  func edits(to later: DeviceRows) -> [(edit: Edit, previous: [String: Content])] {
    let names = Set(later.rows.values.map(\.name))
    let gone = sorted.filter { later.rows[$0.0] == nil && !names.contains($0.1.name) }
      .map { (edit: Edit.delete($0.1.name), previous: $0.1.fields) }
    let others = later.sorted.compactMap {
      place, row -> (edit: Edit, previous: [String: Content])? in
      guard let former = rows[place] else {
        return (.insert(row.name, className: place.className, row.fields), [:])
      }
      let fields = Set(row.fields.keys).union(former.fields.keys)
        .filter { row.fields[$0] != former.fields[$0] }
      guard !fields.isEmpty else { return nil }
      let values = fields.map { ($0, row.fields[$0] ?? .empty) }
      return (.set(row.name, Dictionary(uniqueKeysWithValues: values)), former.fields)
    }
    return gone + others
  }

  /// The edits by which rows that go take on the values of the other record's row, where a row has two records.
  func edits(toTwinsIn later: DeviceRows) -> [(edit: Edit, previous: [String: Content])] {
    let remaining = later.sorted.map(\.1)
    return sorted.filter { later.rows[$0.0] == nil }.compactMap { _, row in
      guard let twin = remaining.first(where: { $0.name == row.name }) else { return nil }
      let fields = Set(row.fields.keys).union(twin.fields.keys)
        .filter { row.fields[$0] != twin.fields[$0] }
      guard !fields.isEmpty else { return nil }
      let values = fields.map { ($0, twin.fields[$0] ?? .empty) }
      return (.set(row.name, Dictionary(uniqueKeysWithValues: values)), row.fields)
    }
  }

  /// The rows after the edits that an undo names as taken back.
  func undoing(
    _ edits: [RecordEdit], _ identities: Identities, _ classes: ClassTable, to present: DeviceRows
  ) -> DeviceRows {
    var later = self
    func content(_ value: Value) -> Content { Content(value, name: identities.name) }
    for edit in edits where edit.kind == .insert { later.rows[edit.place] = nil }
    for edit in edits where edit.kind == .update {
      for (field, value) in classes.judged(edit.before).values {
        let content = content(value)
        later.rows[edit.place]?.fields[field] = content == .empty ? nil : content
      }
    }
    for edit in edits where edit.kind == .delete {
      var fields = edit.before.values.mapValues(content).filter { $0.value != .empty }
      // A row that comes back has the list that its record has now.
      if classes.judgesLists {
        fields[Fields.accessList] = present.rows[edit.place]?.fields[Fields.accessList]
      }
      later.rows[edit.place] = Row(
        name: identities.name(edit.place), localID: edit.record.localID, fields: fields)
    }
    return later
  }

  /// The first row that differs.
  ///
  /// - Parameters:
  ///   - other: The other rows.
  ///   - comparesLocalIDs: Whether rows under other local ids are different.
  /// - Returns: The name of the row; nil if all are equal.
  func difference(from other: DeviceRows, comparesLocalIDs: Bool) -> String? {
    Set(rows.keys).union(other.rows.keys).sorted { $0.objectID < $1.objectID }.first { place in
      guard let row = rows[place], let second = other.rows[place] else { return true }
      return row.fields != second.fields || comparesLocalIDs && row.localID != second.localID
    }.map { rows[$0]?.name ?? other.rows[$0]?.name ?? $0.objectID }
  }

  private var sorted: [(Pointer, Row)] {
    rows.sorted { ($0.value.name, $0.key.objectID) < ($1.value.name, $1.key.objectID) }
      .map { ($0.key, $0.value) }
  }
}

extension RecordEdit {
  /// The record, under the id that the store has for it now.
  var place: Pointer { Pointer(className: record.className, objectID: record.objectID) }
}
