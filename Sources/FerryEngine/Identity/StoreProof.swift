// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

/// Checks whether a server at another address has this store's data.
struct StoreProof {
  let context: StageContext

  /// - Throws: `SyncError` if the server has none of the requested records.
  func proveSameData() throws(SyncError) {
    var asked = 0
    for entity in context.schema.entities {
      let ids = try context.read { reader throws(StoreError) in
        try reader.acknowledged(of: entity.name, after: LocalID(), limit: RecordLookup.chunk)
      }.map(\.objectID)
      guard !ids.isEmpty else { continue }
      do {
        let found = try RecordLookup(context: ClassContext(entity, in: context))
          .records(objectIDs: ids, keys: [])
        if !found.isEmpty { return }
        asked += ids.count
      } catch {
        // A class that refuses listing proves nothing.
        _ = try error.failure()
      }
    }
    guard asked > 0 else { return }
    throw SyncError(
      .otherServer,
      "The server has none of \(asked) records that this store holds, so it does not have the same "
        + "data. Nothing was sent and nothing was changed. Look whether the address is right; for "
        + "another server, use a new store.")
  }
}
