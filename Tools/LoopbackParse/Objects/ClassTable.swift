// Ferry: offline-first sync for Parse Server. MIT licence.

/// The rows of one class with their schema and indexes.
struct ClassTable: Sendable {
  var schema: ClassSchema
  private(set) var rows: [String: Row] = [:]
  private var byUpdate = OrderedIndex()
  private var byCreation = OrderedIndex()
  private var byId = OrderedIndex()
  /// How many rows have an access list; with none, every caller sees the same.
  private(set) var guardedRows = 0
  /// For each relation field and owner, the ids of the rows it leads to.
  var relations: [String: [String: Set<String>]] = [:]
  private let collation: LoopbackCollation

  init(schema: ClassSchema, collation: LoopbackCollation) {
    self.schema = schema
    self.collation = collation
  }

  /// Stores a row; it replaces a row with the same id.
  mutating func store(_ row: Row) {
    let sortKey = collation.sortKey(of: row.objectId)
    if let old = rows[row.objectId] { withdraw(old, sortKey) }
    rows[row.objectId] = row
    if row.access != nil { guardedRows += 1 }
    byUpdate.insert(IndexKey(instant: row.updatedAt, sortKey: sortKey, objectId: row.objectId))
    byCreation.insert(IndexKey(instant: row.createdAt, sortKey: sortKey, objectId: row.objectId))
    byId.insert(IndexKey(instant: IndexAxis.noInstant, sortKey: sortKey, objectId: row.objectId))
  }

  /// Removes a row; false if there was none.
  mutating func remove(_ objectId: String) -> Bool {
    guard let row = rows.removeValue(forKey: objectId) else { return false }
    withdraw(row, collation.sortKey(of: objectId))
    return true
  }

  private mutating func withdraw(_ row: Row, _ sortKey: String) {
    if row.access != nil { guardedRows -= 1 }
    byUpdate.remove(IndexKey(instant: row.updatedAt, sortKey: sortKey, objectId: row.objectId))
    byCreation.remove(IndexKey(instant: row.createdAt, sortKey: sortKey, objectId: row.objectId))
    byId.remove(IndexKey(instant: IndexAxis.noInstant, sortKey: sortKey, objectId: row.objectId))
  }

  /// Removes all rows; the pairs of the relations stay.
  mutating func removeAll() {
    let relations = relations
    self = ClassTable(schema: schema, collation: collation)
    self.relations = relations
  }

  /// Writes every row's text anew, because the files' address changed.
  mutating func encodeAll(fileAddress: String) {
    for id in Array(rows.keys) { rows[id]?.encode(fileAddress: fileAddress) }
  }

  func index(_ axis: IndexAxis) -> OrderedIndex {
    switch axis {
    case .updatedAt: byUpdate
    case .createdAt: byCreation
    case .objectId: byId
    }
  }

  /// Visits the rows within a range of one index until the visitor returns false.
  func visit(
    _ axis: IndexAxis, _ range: KeyRange, descending: Bool = false, _ visitor: (Row) -> Bool
  ) {
    let index = index(axis)
    let start = index.position(isBelow: range.lower.isAbove)
    let end = index.position(isBelow: range.upper.isAbove)
    index.visit(from: start, to: end, descending: descending) { id in
      guard let row = rows[id] else { return true }
      return visitor(row)
    }
  }

  func count(_ axis: IndexAxis, _ range: KeyRange) -> Int {
    let index = index(axis)
    return index.count(
      from: index.position(isBelow: range.lower.isAbove),
      to: index.position(isBelow: range.upper.isAbove))
  }
}
