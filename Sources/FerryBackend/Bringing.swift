// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// Brings the records of one query into the store, until the store's answer is the server's.
///
/// First come the rows of queries within the query, then the records of the query itself. After that, the store answers, and each
/// row of the answer that the server has not shown yet is asked for by its id, and so are rows behind pointers. A row that the
/// server does not show leaves the store, which may bring other rows into the answer.
struct Bringing {
  let store: any Store
  let coordinator: SyncCoordinator
  /// The greatest number of records that a query may bring.
  let limit: Int
  let timeout: Duration
  /// The records that the server was asked for, by class.
  private var seen: [String: Set<String>] = [:]
  /// The rows that the server showed.
  private(set) var rows = Set<RowName>()
  /// Whether all records of all parts came.
  private(set) var isComplete = true

  private var parts: OnDemandParts { OnDemandParts(schema: store.schema) }

  init(store: any Store, coordinator: SyncCoordinator, limit: Int, timeout: Duration) {
    self.store = store
    self.coordinator = coordinator
    self.limit = limit
    self.timeout = timeout
  }

  /// Brings the records of a query, and those behind the pointers that it and the fields follow.
  mutating func bring(_ query: Query, reading fields: [String]) async throws {
    for part in parts.subqueries(of: query) {
      try await bring(part.query, reading: [part.field])
    }
    var look = LocalLook(
      query: query, hops: parts.hops(of: query, reading: fields),
      isOnDemand: parts.isOnDemand(query.className))
    if look.isOnDemand {
      let fetched = try await coordinator.fetch(query, upTo: limit, timeout: timeout)
      note(fetched, of: query.className)
      isComplete = isComplete && fetched.isComplete
      look.checksRows = fetched.isComplete
      look.fetched = fetched.records.map(\.localID)
    }
    while true {
      let missing = try await store.read { [look, seen] db in try look.unseen(seen, in: db) }
      guard !missing.isEmpty else { return }
      for (className, ids) in missing.sorted(by: { $0.key < $1.key }) {
        try await ask(for: ids.sorted(), of: className)
      }
    }
  }

  /// Asks for records by their ids, and evicts the rows of those that the server does not show.
  private mutating func ask(for ids: [String], of className: String) async throws {
    for chunk in ids.chunks(of: RowName.chunk) {
      let named: Condition = .oneOf("objectId", chunk.map(Value.string))
      let fetched = try await coordinator.fetch(Query(className, where: named), timeout: timeout)
      note(fetched, of: className)
      seen[className, default: []].formUnion(chunk)
      let gone = Set(chunk).subtracting(fetched.records.map(\.objectID))
        .subtracting(fetched.unreadable)
      guard !gone.isEmpty, fetched.isComplete else { continue }
      let names = Set(gone.map { RowName(className, $0) })
      try await coordinator.evict(
        store.read { db in try RowName.references(of: names, in: db) })
    }
  }

  private mutating func note(_ fetched: FetchedRecords, of className: String) {
    let shown = fetched.records.map(\.objectID) + fetched.unreadable
    seen[className, default: []].formUnion(shown)
    rows.formUnion(shown.map { RowName(className, $0) })
  }
}
