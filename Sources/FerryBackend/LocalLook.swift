// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// The store's answer to a query that is being brought, and its rows that the server has not shown.
struct LocalLook: Sendable {
  let query: Query
  let hops: [OnDemandParts.Hop]
  let isOnDemand: Bool
  /// Whether rows of the answer are looked at, because the server has shown all others.
  var checksRows = false
  /// The rows that the server gave.
  var fetched: [LocalID] = []

  /// The ids to ask for, by class.
  func unseen(
    _ seen: [String: Set<String>], in db: any StoreReader
  ) throws(StoreError) -> [String: Set<String>] {
    var missing: [String: Set<String>] = [:]
    let className = query.className
    if checksRows {
      // A row that is gone, and is skipped, would move the others.
      let answer = try db.references(query.fromFirstRow).filter {
        seen[className]?.contains($0.objectID) != true
      }
      let unsent = try unsent(of: answer.map(\.localID), in: db)
      let ids = answer.filter { !unsent.contains($0.localID) }.map(\.objectID)
      if !ids.isEmpty { missing[className] = Set(ids) }
    }
    guard !hops.isEmpty else { return missing }
    for hop in hops {
      for rows in try chosenRows(of: hop, in: db) {
        for values in try db.values(of: [hop.path], in: rows) {
          guard case .pointer(let pointer)? = values[hop.path],
            seen[hop.target]?.contains(pointer.objectID) != true
          else { continue }
          missing[hop.target, default: []].insert(pointer.objectID)
        }
      }
    }
    return missing
  }

  private func unsent(
    of localIDs: [LocalID], in db: any StoreReader
  ) throws(StoreError) -> Set<LocalID> {
    guard !localIDs.isEmpty else { return [] }
    return Set(try db.unsentStates(of: query.className, localIDs: localIDs).keys)
  }

  /// The rows whose pointers matter, as queries: a sync has brought all of a class that it lists.
  private func chosenRows(
    of hop: OnDemandParts.Hop, in db: any StoreReader
  ) throws(StoreError) -> [Query] {
    guard isOnDemand else { return [hop.decides ? Query(query.className) : query] }
    var rows = Set(fetched)
    rows.formUnion(try db.references(query).map(\.localID))
    // An unsent edit may bring a row into the answer, once the rows behind its pointers are there.
    rows.formUnion(try db.references(Query(query.className, where: .isUnsent)).map(\.localID))
    return rows.sorted().chunks(of: RowName.chunk).map { chunk in
      Query(
        query.className,
        where: .oneOf("localId", chunk.map { Value.integer($0.rawValue) }))
    }
  }
}
