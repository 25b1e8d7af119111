// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning

/// Looks one record up, and leaves the answer in the ledger.
struct RemoteRecordStage: Stage {
  let name: StageName? = nil
  let entity: Entity
  let objectID: String

  func run(in context: StageContext) throws(SyncError) {
    context.ledger.found(try answer(in: ClassContext(entity, in: context)))
  }

  private func answer(in context: ClassContext) throws(SyncError) -> RemoteRecord {
    do {
      let (records, failures) = try RecordLookup(context: context).rows(objectIDs: [objectID])
      if let record = records.first(where: { $0.objectID == objectID }) {
        return .shown(fields: record.fields(of: entity), version: record.version)
      }
      return failures.first.map { .unreadable(reason: $0.reason) } ?? .notShown
    } catch {
      return .refused(reason: try error.failure().description)
    }
  }
}
