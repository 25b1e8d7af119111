// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning

extension SyncReader {
  /// The ids that pointers have now, where the server has replaced those of their targets.
  ///
  /// A minted id belongs to one row of all classes. An id that the app chooses may belong to rows of several classes, and the
  /// store keeps replacements without a class. So a pointer keeps its id where only a row of that id is there.
  func aliases(of pointers: Set<Pointer>) throws(StoreError) -> [Pointer: String] {
    let ids = Set(pointers.map(\.objectID))
    let aliases = ids.isEmpty ? [:] : try aliases(of: ids.sorted())
    var named: [Pointer: String] = [:]
    let renamed = pointers.filter { aliases[$0.objectID] != nil }
    for (className, pointers) in Dictionary(grouping: renamed, by: \.className) {
      let ids = Set(pointers.flatMap { [$0.objectID, aliases[$0.objectID]] }.compactMap(\.self))
      let isKnown = schema.entities.contains { $0.name == className }
      let rows = isKnown ? try records(of: className, objectIDs: ids.sorted()) : []
      let present = Set(rows.map(\.objectID))
      for pointer in pointers {
        guard let new = aliases[pointer.objectID],
          present.contains(new) || !present.contains(pointer.objectID)
        else { continue }
        named[pointer] = new
      }
    }
    return named
  }
}
