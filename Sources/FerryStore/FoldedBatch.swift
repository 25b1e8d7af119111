// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning

/// Edits of some rows of a class, folded in memory, with replaced ids translated.
///
/// All edits of a row belong to one batch. They may come in parts.
struct FoldedBatch {
  private let reader: any SyncReader
  private var folding: ChangeFolding
  /// The rows that the edits are about.
  let keys: Set<RecordKey>
  /// The rows whose pointers held a replaced id, with these fields set right.
  private(set) var translated: [Record] = []

  /// - Parameters:
  ///   - className: The class.
  ///   - rows: The edits, or the first part of them; all their rows occur in it.
  ///   - removals: The edits that remove a row in a later part.
  ///   - reader: The store.
  /// - Throws: `StoreError` if the store cannot be read.
  init(
    of className: String, _ rows: [LogRow], removals: [LogRow] = [], in reader: any SyncReader
  ) throws(StoreError) {
    self.reader = reader
    keys = Set(rows.map(\.key))
    let localIDs = keys.map(\.localID).sorted()
    var records = try reader.records(of: className, localIDs: localIDs)
    let gone = (rows + removals).compactMap(\.goneObjectID)
    var entries = try reader.outboxEntries(of: className, localIDs: localIDs)
    let found = Set(entries.map(\.localID))
    entries += try reader.outboxEntries(
      of: className, objectIDs: Set(records.map(\.objectID) + gone).sorted()
    ).filter { !found.contains($0.localID) }
    try Self.complete(&entries, of: className, with: records, in: reader)
    if let entity = reader.schema.entity(className) {
      for index in entries.indices { entries[index].leaveOutUnreadable(by: entity) }
    }
    let isInserted = rows.contains { $0.kind == .insert }
    let lastKnown =
      isInserted
      ? try reader.lastKnownFields(of: className, objectIDs: records.map(\.objectID)) : [:]
    var ids = records.reduce(into: Set<String>()) { $0.formUnion($1.fields.mintedPointerIDs) }
    for fields in lastKnown.values { ids.formUnion(fields.mintedPointerIDs) }
    let aliases = try ids.isEmpty ? [:] : reader.aliases(of: ids.sorted())
    for index in aliases.isEmpty ? 0..<0 : records.indices {
      var changed = records[index]
      changed.fields = changed.fields.replacedPointers { aliases[$0.objectID] }
      if !changed.fields.isEmpty { translated.append(changed) }
      records[index].fields = records[index].fields.replacingPointers { aliases[$0.objectID] }
    }
    folding = ChangeFolding(
      into: entries, records: records, removals: try reader.translated(rows + removals),
      defaults: reader.schema.defaults(of: className),
      merged: Set(
        reader.schema.entity(className)?.fields.filter { $0.merge != nil }.map(\.name) ?? []),
      lastKnown: lastKnown.mapValues { $0.replacingPointers { aliases[$0.objectID] } })
  }

  /// Tells the deletes of records that have a row again what the server has of fields which their program did not
  /// declare.
  private static func complete(
    _ entries: inout [OutboxEntry], of className: String, with records: [Record],
    in reader: any SyncReader
  ) throws(StoreError) {
    let deletes = entries.indices.filter { entries[$0].kind == .delete }
    guard !deletes.isEmpty else { return }
    let present = Set(records.map(\.objectID))
    let undone = deletes.filter { present.contains(entries[$0].objectID) }
    guard !undone.isEmpty else { return }
    let deleted = try reader.deletedFields(
      of: className, objectIDs: undone.map { entries[$0].objectID })
    for index in undone {
      entries[index].complete(with: deleted[entries[index].objectID] ?? Fields())
    }
  }

  /// Folds a part of the edits, oldest first.
  mutating func fold(_ rows: [LogRow]) throws(StoreError) {
    folding.fold(try reader.translated(rows))
  }

  var outcome: ChangeFolding.Outcome { folding.outcome.leavingOutUndeclared(by: reader.schema) }
}

extension ChangeFolding.Outcome {
  /// Without changes of fields that the schema leaves out.
  ///
  /// A delete keeps the values of such fields. Where the app inserts the row again, nobody has edited them.
  fileprivate func leavingOutUndeclared(by schema: Schema) -> Self {
    var outcome = self
    outcome.entries = []
    var declared: [String: Set<String>] = [:]
    for var entry in entries {
      let fields =
        declared[entry.className]
        ?? schema.entity(entry.className)?.contentNames ?? []
      declared[entry.className] = fields
      var isDone = false
      for field in entry.comparedFields where !fields.contains(field) {
        isDone = entry.leaveOut(field)
      }
      if isDone { outcome.removed.append(entry.key) } else { outcome.entries.append(entry) }
    }
    return outcome
  }
}

extension OutboxEntry {
  /// Takes out the fields whose values on the server no row of this program can hold: an empty field of the row would
  /// count as an edit.
  fileprivate mutating func leaveOutUnreadable(by entity: Entity) {
    guard kind == .update else { return }
    for (name, value) in base.values where !changed.contains(name) {
      guard let type = entity.field(name)?.type, !value.isNull, !type.accepts(value) else {
        continue
      }
      _ = leaveOut(name)
    }
  }
}

extension SyncReader {
  /// Edits with the ids that the server has chosen since.
  fileprivate func translated(_ rows: [LogRow]) throws(StoreError) -> [LogRow] {
    var ids = Set<String>()
    for row in rows { ids.formUnion(row.oldFields?.mintedPointerIDs ?? []) }
    let aliases = try ids.isEmpty ? [:] : aliases(of: ids.sorted())
    guard !aliases.isEmpty else { return rows }
    return rows.map { $0.replacingPointers { aliases[$0.objectID] } }
  }
}

extension Schema {
  /// The values of a class's columns that an insert leaves out.
  fileprivate func defaults(of className: String) -> Fields {
    let fields = entity(className)?.fields.filter { !$0.initialValue.isNull } ?? []
    return Fields(
      Dictionary(fields.map { ($0.name, $0.initialValue) }, uniquingKeysWith: { _, last in last }))
  }
}

extension LogRow {
  /// The object id of a row that is gone, or that a delete removed.
  fileprivate var goneObjectID: String? {
    switch kind {
    case .insert, .update, .lateInsert: nil
    case .delete(let old): old.objectID
    case .late(_, let goneObjectID): goneObjectID
    }
  }

  fileprivate var oldFields: Fields? {
    switch kind {
    case .insert: nil
    case .update(let old): old
    case .delete(let old): old.fields
    case .late(let old, _), .lateInsert(let old): old
    }
  }

  fileprivate func replacingPointers(_ newObjectID: (Pointer) -> String?) -> LogRow {
    var row = self
    switch kind {
    case .insert: break
    case .update(let old): row.kind = .update(old: old.replacingPointers(newObjectID))
    case .delete(var old):
      old.fields = old.fields.replacingPointers(newObjectID)
      row.kind = .delete(old: old)
    case .late(let old, let objectID):
      row.kind = .late(old: old.replacingPointers(newObjectID), goneObjectID: objectID)
    case .lateInsert(let old):
      row.kind = .lateInsert(old: old.replacingPointers(newObjectID))
    }
    return row
  }
}
