// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerrySQLite
import FerryStore

/// Queries that a program observes, each held against the query itself.
struct ObservedQueries {
  private var queries: [(query: Query, look: QueryLook, shown: [Record]?)]
  /// SQLite's number of the commits that the reading connection had seen at the last check.
  private var version: Int?

  /// All rows of each class, and the first two of each by their versions.
  init(of schema: Schema) {
    queries = schema.entities.flatMap { entity in
      [
        Query(entity.name, orderedBy: .descending("objectId")),
        Query(
          entity.name, where: !.isNull("createdAt"), orderedBy: .ascending("updatedAt"), limit: 2),
      ].map { ($0, QueryLook($0), nil) }
    }
  }

  /// Looks at each query, as an app that observes it does after a commit.
  ///
  /// - Parameter store: The program's store.
  /// - Throws: `Violation` for a query whose rows the observation does not show; `StoreError` if it cannot be read.
  mutating func check(_ store: any SyncStore) throws {
    let violation = try store.syncRead { reader throws(StoreError) in try look(in: reader) }
    if let violation { throw violation }
  }

  /// Looks at each query in one view; returns the first fault.
  private mutating func look(in reader: any SyncReader) throws(StoreError) -> Violation? {
    let present = try (reader as? any SQLReader)?.query("PRAGMA data_version", as: Int.self).first
    // The rows are those of the last check if nobody has committed since. The observation may still show a list.
    let isUnchanged = present != nil && present == version
    for index in queries.indices {
      let (query, shown) = (queries[index].query, queries[index].shown)
      let list = try queries[index].look.next(in: reader)
      if list == nil, isUnchanged { continue }
      let rows = try reader.records(query)
      if list ?? shown != rows {
        return Violation(.missedChange, "an observed list of \(query.className) shows other rows")
      }
      if let list, list == shown {
        return Violation(.missedChange, "an observed list of \(query.className) came again")
      }
      queries[index].shown = rows
    }
    version = present
    return nil
  }
}
