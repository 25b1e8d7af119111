// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
import Synchronization

/// The rows of a query, whose fields are read at their first touch: in batches, and not one row at a time.
///
/// ```swift
/// let games = try store.lazyRecords(Query("Game", orderedBy: .ascending("title")))
/// for game in games {
///   print(try game["title"], try game.pointer("league")?["name"] ?? .null)
/// }
/// ```
///
/// The rows and their order are settled when the list is made. Their fields are those of the newest commit
/// at the moment when their batch is read; they stay as they were read. Each batch is one consistent view, and two
/// batches may see two commits. A row that is gone by then has no record. To show later commits, make a new list.
///
/// Any thread may use a list and its rows. The first touch of a batch waits for one query on the calling thread, and
/// others that touch the list meanwhile wait for it. The list keeps all rows that it has read.
public final class LazyRecords: RandomAccessCollection, Sendable {
  /// The names of the rows, in the order of the query.
  public let references: [RecordReference]

  private let className: String
  private let store: any Store
  private let batchSize: Int
  private let state = Mutex(State())

  private struct State {
    /// The rows of the batches that were read, by local id.
    var rows: [Int: [LocalID: Record]] = [:]
    /// The rows to which pointers lead, by class and object id; `.some(nil)` for one that is gone.
    var targets: [String: [String: Record?]] = [:]
  }

  init(_ references: [RecordReference], of className: String, in store: any Store, batchSize: Int) {
    self.references = references
    self.className = className
    self.store = store
    // More values than that make no query faster.
    self.batchSize = Swift.min(Swift.max(batchSize, 1), Self.greatestBatch)
  }

  private static let greatestBatch = 10_000

  /// The first place.
  public var startIndex: Int { 0 }
  /// The place behind the last row.
  public var endIndex: Int { references.count }
  /// The row at a place of the list.
  public subscript(position: Int) -> LazyRecord {
    LazyRecord(list: self, reference: references[position], place: .row(position))
  }

  /// The row at a place, which reads its batch if it must; nil if it is gone.
  func record(at place: LazyRecord.Place) throws(StoreError) -> Record? {
    let result = state.withLock { state in
      Result { () throws(StoreError) in
        switch place {
        case .row(let position): try row(at: position, in: &state)
        case .target(let pointer, let field, let source):
          try target(pointer, of: source, field, in: &state)
        }
      }
    }
    return try result.get()
  }

  private func row(at position: Int, in state: inout State) throws(StoreError) -> Record? {
    let batch = position / batchSize
    let localID = references[position].localID
    if let rows = state.rows[batch] { return rows[localID] }
    let names = references[(batch * batchSize)...].prefix(batchSize)
    let rows = try read(
      className, RecordProperty.localID, names.map { .integer($0.localID.rawValue) })
    state.rows[batch] = Dictionary(rows.map { ($0.localID, $0) }, uniquingKeysWith: { $1 })
    return state.rows[batch]?[localID]
  }

  /// The row to which a pointer leads; the first such question also reads the rows to which the same field of other rows
  /// beside its own leads.
  private func target(
    _ pointer: Pointer, of source: LazyRecord.Source, _ field: String, in state: inout State
  ) throws(StoreError) -> Record? {
    if let known = state.targets[pointer.className]?[pointer.objectID] { return known }
    let known = state.targets[pointer.className] ?? [:]
    var wanted: Set = [pointer.objectID]
    for row in rows(of: source, in: state) {
      guard wanted.count < Self.greatestBatch else { break }
      guard case .pointer(let other) = row[field], other.className == pointer.className,
        known[other.objectID] == nil
      else { continue }
      wanted.insert(other.objectID)
    }
    let found = try read(pointer.className, RecordProperty.objectID, wanted.map { .string($0) })
    for id in wanted { state.targets[pointer.className, default: [:]][id] = .some(nil) }
    for row in found { state.targets[pointer.className]?[row.objectID] = row }
    return state.targets[pointer.className]?[pointer.objectID] ?? nil
  }

  /// The rows to which a row at a place belongs.
  func source(of place: LazyRecord.Place) -> LazyRecord.Source {
    switch place {
    case .row(let position): .batch(position / batchSize)
    case .target(let pointer, _, _): .reached(className: pointer.className)
    }
  }

  private func rows(of source: LazyRecord.Source, in state: State) -> [Record] {
    switch source {
    case .batch(let batch): (state.rows[batch]?.values).map(Array.init) ?? []
    case .reached(let className): (state.targets[className]?.values.compactMap(\.self)) ?? []
    }
  }

  private func read(
    _ className: String, _ property: RecordProperty, _ values: [Value]
  ) throws(StoreError) -> [Record] {
    try store.read { db throws(StoreError) in
      try db.records(of: className, where: .oneOf(property.rawValue, values))
    }
  }
}
