// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

/// Finds out whether a server at another address has the data that this store was synced with.
struct StoreProof {
  let context: StageContext

  /// - Throws: `SyncError` where the server has none of the records it is asked for.
  func proveSameData() throws(SyncError) {
    var asked = 0
    for entity in context.schema.entities {
      let ids = try context.read {
        try $0.acknowledged(of: entity.name, after: LocalID(), limit: RecordLookup.chunk)
      }.map(\.objectID)
      guard !ids.isEmpty else { continue }
      do {
        let found = try RecordLookup(context: ClassContext(entity, in: context))
          .records(objectIDs: ids, keys: [])
        if !found.isEmpty { return }
        asked += ids.count
      } catch {
        // A class that may not be listed proves nothing either way.
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
