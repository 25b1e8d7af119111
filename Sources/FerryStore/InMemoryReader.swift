// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning

/// One consistent view of a store in memory.
class InMemoryReader: StoreReader {
  private var content: InMemoryState
  private var isOver = false
  private let cancellation = AccessCancellation.current

  init(_ state: InMemoryState) { content = state }

  /// The state; available while the closure that received the view runs.
  var state: InMemoryState {
    get throws(StoreError) {
      try cancellation?.check()
      guard !isOver else {
        throw StoreError(
          .database,
          "A reader or transaction of a store was used after its closure had returned, so nothing "
            + "was read or written. Use it inside the closure only.")
      }
      return content
    }
  }

  /// Changes the state in place.
  func change<Result>(
    _ body: (inout InMemoryState) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    _ = try state
    return try body(&content)
  }

  /// Does something in a transaction; an error takes back what it did.
  func attempt<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let before = try state
    do {
      return try body()
    } catch {
      try change { $0 = before }
      throw error
    }
  }

  /// Ends the view and returns its state.
  func end() -> InMemoryState {
    isOver = true
    return content
  }

  var schema: Schema { content.schema }

  func record(of className: String, localID: LocalID) throws(StoreError) -> Record? {
    try state.table(className).rows[localID]
  }

  func record(of className: String, objectID: String) throws(StoreError) -> Record? {
    let table = try state.table(className)
    let named = try state.aliases[objectID]
    let localID = table.localIDs[objectID] ?? named.flatMap { table.localIDs[$0] }
    return localID.flatMap { table.rows[$0] }
  }

  func records(
    of className: String, where condition: Condition?, orderedBy order: [SortOrder], limit: Int?,
    offset: Int
  ) throws(StoreError) -> [Record] {
    try InMemoryQuestion(state: try state).rows(
      of: Query(className, where: condition, orderedBy: order, limit: limit, offset: offset))
  }

  func count(of className: String, where condition: Condition?) throws(StoreError) -> Int {
    try InMemoryQuestion(state: try state).count(of: className, where: condition)
  }

  func forEachRow(
    of query: Query, reading fields: [String], _ body: ([Value]) throws(StoreError) -> Void
  ) throws(StoreError) {
    let question = InMemoryQuestion(state: try state)
    let rows = try question.rows(of: query, reading: fields)
    let entity = try schema.registered(query.className)
    let reads = try fields.map { name throws(StoreError) in try question.value(name, of: entity) }
    for row in rows {
      try cancellation?.check()
      try body(reads.map { $0(row) })
    }
  }

  func explain(_ query: Query) throws(StoreError) -> QueryPlan {
    try query.check(in: try state.schema)
    // Rows behind pointers are found by their object ids, and everything else is looked at.
    let classes = query.scannedClasses.sorted()
    return QueryPlan(
      scannedClasses: classes, sortsRows: true, steps: classes.map { "SCAN \($0) IN MEMORY" })
  }

  // MARK: - History

  func lastToken() throws(StoreError) -> HistoryToken {
    HistoryToken(rawValue: try state.lastToken)
  }

  func token(ofReader name: String) throws(StoreError) -> HistoryToken {
    try state.readers[name] ?? .start
  }

  // MARK: - Conflicts and quarantine

  func conflicts(
    of className: String?, before id: Int64?, limit: Int?
  ) throws(StoreError) -> [ConflictRecord] {
    let wanted = try state.conflicts.reversed().lazy.filter { conflict in
      (conflict.id ?? 0) < id ?? .max && className.map { $0 == conflict.record.className } ?? true
    }
    return Array(wanted.prefix(limit.map { max($0, 0) } ?? .max))
  }

  func conflicts(ofRun run: Int64) throws(StoreError) -> [ConflictRecord] {
    try state.conflicts.reversed().filter { $0.run == run }
  }

  func unseenConflictCounts() throws(StoreError) -> [String: Int] {
    try state.conflicts.reduce(into: [:]) { counts, conflict in
      if !conflict.isSeen { counts[conflict.record.className, default: 0] += 1 }
    }
  }

  func conflict(_ id: Int64) throws(StoreError) -> ConflictRecord? {
    try state.conflicts.first { $0.id == id }
  }

  func conflictCounts(after id: Int64) throws(StoreError) -> [String: [ConflictRecord.Reason: Int]]
  {
    try state.conflicts.reduce(into: [:]) { counts, conflict in
      guard let number = conflict.id, number > id else { return }
      counts[conflict.record.className, default: [:]][conflict.reason, default: 0] += 1
    }
  }

  func quarantine(of className: String?) throws(StoreError) -> [QuarantinedRecord] {
    let classes = try state.quarantine.filter { className == nil || $0.key == className }
    return classes.values.flatMap(\.values).sorted {
      ($0.className, $0.objectID) < ($1.className, $1.objectID)
    }
  }
}
