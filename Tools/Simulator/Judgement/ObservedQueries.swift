// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore

/// Queries that a program observes, each held against the query itself.
struct ObservedQueries {
  private var queries: [(query: Query, look: QueryLook, shown: [Record]?)]

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
    for index in queries.indices {
      var (query, look, shown) = queries[index]
      let (list, present) = try store.syncRead { reader throws(StoreError) in
        (try look.next(in: reader), try reader.records(query))
      }
      if list ?? shown != present {
        throw Violation(.missedChange, "an observed list of \(query.className) shows other rows")
      }
      if let list, list == shown {
        throw Violation(.missedChange, "an observed list of \(query.className) came again")
      }
      shown = present
      queries[index] = (query, look, shown)
    }
  }
}
