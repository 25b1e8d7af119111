// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

// Another client may link a record by an id that this store replaced, because it has not seen the new id.
extension PageImporter {
  /// Lets pointers of imported rows name records by their present ids, and has the server's set right.
  func renewPointers(
    of rows: [ImportRow], in transaction: any SyncTransaction
  ) throws(StoreError) {
    var named = Set<Pointer>()
    for row in rows { for value in row.values { value.forEachPointer { named.insert($0) } } }
    let renewed = try transaction.renewedIDs(of: named)
    guard !renewed.isEmpty else { return }
    let foldedThrough = try transaction.foldedThrough()
    let replacements = renewed.keys.map {
      ObjectIDReplacement(pointer: $0, foldedThrough: foldedThrough)
    }
    for row in rows
    where row.values.contains(where: { $0.pointers.contains { renewed[$0] != nil } }) {
      guard let record = try transaction.record(of: className, objectID: row.objectID) else {
        continue
      }
      let present = try transaction.entries([record.key])[record.key]
      var unsent = present
      for replacement in replacements {
        unsent = replacement.entry(for: record, unsent) ?? unsent
      }
      if let unsent, unsent != present { try transaction.put(unsent) }
      try transaction.set(
        record.fields.replacedPointers { renewed[$0] }, of: className, localID: record.localID)
    }
  }
}

extension SyncReader {
  /// The present ids of records that pointers name by an id that was replaced.
  ///
  /// An id that has a row again is no replaced one. A record without a row gets no pointers: another device
  /// may have discarded it as a duplicate of the record under the old id. Both devices would otherwise rewrite
  /// the pointers for ever.
  fileprivate func renewedIDs(of pointers: Set<Pointer>) throws(StoreError) -> [Pointer: String] {
    guard !pointers.isEmpty else { return [:] }
    let aliases = try aliases(of: pointers.map(\.objectID))
    guard !aliases.isEmpty else { return [:] }
    var renewed: [Pointer: String] = [:]
    let replaced = pointers.filter { aliases[$0.objectID] != nil }
    for (className, pointers) in Dictionary(grouping: replaced, by: \.className)
    where schema.entity(className) != nil {
      let ids = pointers.map(\.objectID)
      let present = try versions(of: className, objectIDs: ids + ids.compactMap { aliases[$0] })
      for pointer in pointers where present[pointer.objectID] == nil {
        guard let new = aliases[pointer.objectID], present[new] != nil else { continue }
        renewed[pointer] = new
      }
    }
    return renewed
  }
}
