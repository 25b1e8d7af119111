// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// The rows of a query as values of a type; a row that has not changed is not decoded again.
struct EntityLook<Entity: SyncEntity>: StoreLook {
  private var look: QueryLook
  private var seen: [LocalID: (record: Record, entity: Entity)] = [:]

  init(_ query: Query) { look = QueryLook(query) }

  mutating func next(in reader: any SyncReader) throws -> [Entity]? {
    guard let records = try look.next(in: reader) else { return nil }
    var present: [LocalID: (record: Record, entity: Entity)] = [:]
    present.reserveCapacity(records.count)
    var entities: [Entity] = []
    entities.reserveCapacity(records.count)
    for record in records {
      let known = seen[record.localID].flatMap { $0.record == record ? $0.entity : nil }
      let entity = if let known { known } else { try Entity(reading: record) }
      present[record.localID] = (record, entity)
      entities.append(entity)
    }
    seen = present
    return entities
  }
}
