// Ferry: offline-first sync for Parse Server. MIT licence.

/// One row's place in an index.
struct IndexKey: Sendable {
  let instant: Instant
  /// The object id's key in the database's collation.
  let sortKey: String
  let objectId: String

  func precedes(_ other: IndexKey) -> Bool {
    if instant != other.instant { return instant < other.instant }
    if sortKey != other.sortKey { return sortKey < other.sortKey }
    return objectId < other.objectId
  }
}
