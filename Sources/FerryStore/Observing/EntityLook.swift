// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// The rows of a query as values of a type; a row that has not changed is not decoded again.
struct EntityLook<Entity: SyncEntity>: StoreLook {
  private var look: QueryLook
  private var shown: [Entity]?
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
    // A field that the type leaves out may have changed alone.
    if let shown, equals(entities, shown) { return nil }
    shown = entities
    return entities
  }

  /// Whether lists of a type that can be compared are equal.
  private func equals(_ entities: [Entity], _ others: [Entity]) -> Bool {
    func isEqual<List: Equatable>(_ list: List) -> Bool { list == others as? List }
    let list: Any = entities
    return (list as? any Equatable).map { isEqual($0) } ?? false
  }
}
