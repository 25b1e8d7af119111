// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

// The reads of the engine, in addition to those of an app.
extension SQLiteReader: SyncReader {
  func mark() throws(StoreError) -> StoreMark {
    if let mark = fixed?.mark {
      try checkIsOpen()
      return mark
    }
    let mark = StoreMark(
      token: try lastToken(), engineCommits: try meta(.engineCommits),
      schemaVersion: try connection.schemaVersion())
    fixed?.mark = mark
    return mark
  }

  func records(of className: String, localIDs: [LocalID]) throws(StoreError) -> [Record] {
    let table = try layout.table(className)
    guard let range = ManyKeys.denseRange(localIDs) else {
      return try each(localIDs, table.selectRecordByLocalID) { table.record(at: $0) }
    }
    let wanted = Set(localIDs)
    return try statement(table.selectRecordsByLocalIDs).bound(range.lowerBound, range.upperBound)
      .rows { wanted.contains($0.localID(0)) ? table.record(at: $0) : nil }.compactMap(\.self)
  }

  func records(of className: String, objectIDs: [String]) throws(StoreError) -> [Record] {
    let table = try layout.table(className)
    return try each(objectIDs, table.selectRecordByObjectID) { table.record(at: $0) }
  }

  func versions(of className: String, objectIDs: [String]) throws(StoreError) -> [String:
    StoredVersion]
  {
    let table = try layout.table(className)
    let versions = try among(
      objectIDs, "\(table.selectVersions) WHERE objectId", TableLayout.version)
    return Dictionary(versions.map { ($0.objectID, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Runs one query for all ids; the text of the query ends with the column that holds one of them.
  private func among<Row>(
    _ ids: [String], _ question: String, _ make: (SQLiteStatement) throws(StoreError) -> Row
  ) throws(StoreError) -> [Row] {
    guard let list = ManyKeys.jsonList(ids) else { return try each(ids, "\(question) = ?", make) }
    return try statement("\(question) IN (SELECT value FROM json_each(?))").bound(list).rows(make)
  }

  /// Runs one query for each value.
  ///
  /// An index serves each query, and the statement stays the same.
  func each<Row>(
    _ values: [some SQLiteBindable], _ question: String,
    _ make: (SQLiteStatement) throws(StoreError) -> Row
  ) throws(StoreError) -> [Row] {
    let statement = try statement(question)
    var rows: [Row] = []
    for value in values {
      try value.bind(to: statement, at: 1)
      rows += try statement.rows(make)
    }
    return rows
  }

  func aliases(of objectIDs: [String]) throws(StoreError) -> [String: String] {
    // A first sync asks for the pointers of all records, and no id is replaced yet.
    guard
      try statement("SELECT 1 FROM ferry_alias WHERE old > '' LIMIT 1").first({ _ in true }) == true
    else {
      return [:]
    }
    let pairs = try among(objectIDs, "SELECT old, new FROM ferry_alias WHERE old") {
      ($0.text(0), $0.text(1))
    }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }

  func formerIDs(
    of className: String, among objectIDs: [String]
  ) throws(StoreError) -> Set<String> {
    try self.objectIDs(objectIDs, of: className, in: "ferry_identity")
  }

  func lastKnownFields(
    of className: String, objectIDs: [String]
  ) throws(StoreError) -> [String: Fields] {
    // Most stores have none.
    let isKept = try statement("SELECT 1 FROM ferry_identity WHERE knownAt IS NOT NULL LIMIT 1")
      .first { _ in true }
    guard isKept == true else { return [:] }
    let known = try statement(
      "SELECT objectId, lastKnown FROM ferry_identity WHERE class = ? AND lastKnown IS NOT NULL"
        + " AND objectId IN (SELECT value FROM json_each(?))"
    ).bound(className, WireJSON.text(.array(objectIDs.map { .string($0) })))
      .rows { row throws(StoreError) in
        (row.text(0), try StoredJSON.columnNote(Fields.self, from: row.text(1)))
      }
    return Dictionary(known, uniquingKeysWith: { first, _ in first })
  }

  func withdrawnIDs(
    of className: String, among objectIDs: [String]
  ) throws(StoreError) -> Set<String> {
    try self.objectIDs(objectIDs, of: className, in: "ferry_withdrawn")
  }

  /// Those of the object ids that a table names.
  private func objectIDs(
    _ objectIDs: [String], of className: String, in table: StaticString
  ) throws(StoreError) -> Set<String> {
    if let list = ManyKeys.jsonList(objectIDs) {
      let question = try statement(
        "SELECT objectId FROM \(table) WHERE class = ?"
          + " AND objectId IN (SELECT value FROM json_each(?))")
      return Set(try question.bound(className, list).rows { $0.text(0) })
    }
    let question = try statement("SELECT 1 FROM \(table) WHERE class = ? AND objectId = ?")
    var named = Set<String>()
    for objectID in objectIDs
    where try question.bound(className, objectID).first({ _ in true }) == true {
      named.insert(objectID)
    }
    return named
  }

  func unsentRows(
    ofUnregistered className: String, among objectIDs: [String]
  ) throws(StoreError) -> [String: LocalID] {
    let table = try statement(
      "SELECT c.tableName FROM ferry_class c JOIN sqlite_schema s ON s.name = c.tableName"
        + " WHERE c.name = ? AND s.type = 'table'"
    ).bound(className).first { $0.text(0) }
    guard let table else { return [:] }
    let question = try statement(
      "SELECT localId FROM \(SQLText.name(table)) WHERE objectId = ? AND createdAt IS NULL")
    var rows: [String: LocalID] = [:]
    for objectID in objectIDs {
      rows[objectID] = try question.bound(objectID).first { LocalID(rawValue: $0.integer(0)) }
    }
    return rows
  }

  func bookkeeping(_ key: String) throws(StoreError) -> String? {
    try statement("SELECT json FROM ferry_bookkeeping WHERE key = ?").bound(key)
      .first { $0.text(0) }
  }

  // MARK: - Counts and listings

  func acknowledgedCount(of className: String) throws(StoreError) -> Int {
    let table = try layout.table(className)
    let kept = try statement("SELECT acknowledged FROM ferry_class WHERE number = ?")
      .bound(table.classNumber).first { $0.count(0) }
    let deleted = try deletedCounts(after: meta(.countedThrough), through: .max)
    return (kept ?? 0) - (deleted[table.classNumber] ?? 0)
  }

  func acknowledgedTimes(of className: String) throws(StoreError) -> CreationTimes {
    let table = try layout.table(className)
    let capacity = try acknowledgedCount(of: className)
    let statement = try statement(
      "SELECT localId, createdAt FROM \(table.table) WHERE createdAt IS NOT NULL ORDER BY localId")
    defer { statement.reset() }
    return try CreationTimes(capacity: capacity) { () throws(StoreError) in
      while try statement.step() {
        if let time = statement.timestamp(1) { return (statement.localID(0), time) }
      }
      return nil
    }
  }

  func acknowledged(
    of className: String, created ranges: [Range<Timestamp>],
    among localIDs: [ClosedRange<LocalID>]
  ) throws(StoreError) -> [[StoredVersion]] {
    var rows = [[StoredVersion]](repeating: [], count: ranges.count)
    let table = try layout.table(className)
    let statement = try statement(
      "\(table.selectVersions) WHERE localId BETWEEN ? AND ? AND createdAt IS NOT NULL")
    defer { statement.reset() }
    for part in localIDs {
      statement.reset()
      _ = try statement.bound(part.lowerBound, part.upperBound)
      while try statement.step() {
        guard let time = statement.timestamp(TableLayout.createdAtOfVersion) else { continue }
        // Most rows are in none of many ranges, so that nothing is made of them.
        let place = ranges.partitioningIndex { $0.upperBound > time }
        guard place < ranges.count, ranges[place].contains(time) else { continue }
        rows[place].append(TableLayout.version(at: statement))
      }
    }
    return rows
  }

  func acknowledged(of className: String, after localID: LocalID, limit: Int) throws(StoreError)
    -> [StoredVersion]
  {
    try versions(of: className, after: localID, where: "createdAt IS NOT NULL", limit: limit)
  }

  func unacknowledged(of className: String, after localID: LocalID, limit: Int) throws(StoreError)
    -> [StoredVersion]
  {
    try versions(of: className, after: localID, where: "createdAt IS NULL", limit: limit)
  }

  private func versions(
    of className: String, after localID: LocalID, where condition: String, limit: Int
  ) throws(StoreError) -> [StoredVersion] {
    let table = try layout.table(className)
    return try statement(
      "\(table.selectVersions) WHERE localId > ? AND \(condition) ORDER BY localId LIMIT ?"
    ).bound(localID, max(limit, 0)).rows(TableLayout.version)
  }
}

extension Array {
  /// The first position whose element satisfies a predicate, if all later elements satisfy it too.
  fileprivate func partitioningIndex(where holds: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
