// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning

extension InMemorySyncTransaction {
  func bindRow(
    _ key: RecordKey, from old: String, to objectID: String, createdAt: Timestamp
  ) throws(StoreError) {
    let row = try record(of: key.className, localID: key.localID)
    if let row {
      var named = row
      named.objectID = objectID
      named.createdAt = createdAt
      _ = try change { state throws(StoreError) in try state.replace(row, by: named) }
    }
    guard old != objectID else { return }
    let mayBeKnown = try mayBeKnownToServer(old, of: key.className)
    let isKnown = row?.createdAt != nil || mayBeKnown
    try rename(from: old, to: objectID, of: key.className, isKnown: isKnown)
  }

  func bindNewRows(_ bindings: [RowBinding]) throws(StoreError) -> Bool {
    for row in bindings {
      try bindRow(row.key, from: row.old, to: row.objectID, createdAt: row.createdAt)
      try completeAccessList(of: row.key, by: row.acl)
    }
    let references = try state.references
    return bindings.contains { references[$0.old]?.isEmpty == false && $0.old != $0.objectID }
  }

  func redirect(from old: String, to new: String, of className: String) throws(StoreError) {
    try rename(from: old, to: new, of: className, isKnown: true)
  }

  private func rename(
    from old: String, to new: String, of className: String, isKnown: Bool
  ) throws(StoreError) {
    try change { state in
      state.aliases = state.aliases.mapValues { $0 == old ? new : $0 }
      state.aliases[old] = new
    }
    let keys = try isKnown ? allKeys() : state.references[old]?.sorted() ?? []
    for key in keys {
      // The base and the sent values stay unchanged.
      try replacePointers(in: key, alsoInEntries: !isKnown) {
        $0.className == className && $0.objectID == old ? new : nil
      }
    }
  }

  private func allKeys() throws(StoreError) -> [RecordKey] {
    try state.tables.values.flatMap { $0.rows.values.map(\.key) }.sorted()
  }

  private func replacePointers(
    in key: RecordKey, alsoInEntries: Bool, _ newID: (Pointer) -> String?
  ) throws(StoreError) {
    if let row = try record(of: key.className, localID: key.localID) {
      let replaced = row.fields.replacedPointers(newID)
      if !replaced.isEmpty { try set(replaced, of: key.className, localID: key.localID) }
    }
    guard alsoInEntries else { return }
    for entry in try outboxEntries(of: key.className, localIDs: [key.localID]) {
      try put(entry.replacingPointers(newID))
    }
  }
}
