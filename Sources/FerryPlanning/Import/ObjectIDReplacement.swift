// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// Decides what must be sent after a record gets another object id; a pure function.
///
/// The store replaces every pointer to the record. The server's records still have the old pointer, so
/// each of their rows gets an update, unless the app edited the field anyway.
package struct ObjectIDReplacement {
  /// The record under its old id.
  package let pointer: Pointer
  package let foldedThrough: HistoryToken

  package init(pointer: Pointer, foldedThrough: HistoryToken) {
    self.pointer = pointer
    self.foldedThrough = foldedThrough
  }

  /// Adds the replaced pointers of a row to its unsent changes.
  ///
  /// - Parameters:
  ///   - row: The row before its pointers were replaced.
  ///   - present: The row's unsent changes.
  /// - Returns: The row's new entry; nil if nothing needs to be added.
  package func entry(for row: Record, _ present: OutboxEntry?) -> OutboxEntry? {
    var entry: OutboxEntry
    if let present {
      guard present.kind == .update else { return nil }
      entry = present
    } else {
      guard row.createdAt != nil else { return nil }
      entry = OutboxEntry(
        className: row.className, localID: row.localID, objectID: row.objectID, kind: .update,
        foldedThrough: foldedThrough)
      entry.createdAt = row.createdAt
      entry.baseVersion = row.version
    }
    let added = row.fields.values.filter {
      $0.value.pointers.contains(pointer) && !entry.changed.contains($0.key)
    }
    guard !added.isEmpty else { return nil }
    for (name, value) in added {
      entry.changed.insert(name)
      entry.rewritten.insert(name)
      entry.base[name] = value
    }
    if entry.state == .confirming { entry.enter(.ready) }
    return entry
  }
}

extension Entity {
  /// The rows that may point to a record; nil if no field can.
  package func mayPoint(to pointer: Pointer) -> Condition? {
    let conditions = fields.compactMap { field -> Condition? in
      switch field.type {
      case .pointer(to: pointer.className): .field(field.name, .equal, .pointer(pointer))
      case .array, .object: .not(.isNull(field.name))
      case .pointer, .text, .integer, .number, .boolean, .date, .bytes, .geoPoint, .polygon, .file,
        .relation:
        nil
      }
    }
    return conditions.isEmpty ? nil : .any(conditions)
  }
}
