// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel
import FerryPlanning

/// The rows of a query, read anew only where the commits since may have changed them in another way than row by row.
package struct QueryLook: StoreLook {
  /// With more changed rows, one reading of the query costs less than these rows.
  private static let mostRows = 100

  private let query: Query
  private var seen: (mark: StoreMark, list: QueriedList)?
  /// The classes that the query reads, if rows decide about other rows; nil if each decides about itself.
  private var classes: Set<String>?

  package init(_ query: Query) { self.query = query }

  package mutating func next(in reader: any SyncReader) throws(StoreError) -> [Record]? {
    let mark = try reader.mark()
    guard let seen else {
      let list = QueriedList(query, rows: try reader.records(query), schema: reader.schema)
      classes = try query.classesRead(in: reader.schema)
      self.seen = (mark, list)
      return list.rows
    }
    guard mark != seen.mark else { return nil }
    let list = try list(after: seen, at: mark, in: reader)
    self.seen = (mark, list ?? seen.list)
    return list?.rows
  }

  /// The list as it is now; nil if it has not changed.
  private func list(
    after seen: (mark: StoreMark, list: QueriedList), at mark: StoreMark, in reader: any SyncReader
  ) throws(StoreError) -> QueriedList? {
    let isNamed = mark.differsOnlyInHistory(from: seen.mark)
    if let classes {
      // A change of another row may move any row of the list.
      if isNamed, try !reader.mayHaveChanged(classes, since: seen.mark.token, limit: Self.mostRows)
      {
        return nil
      }
    } else if isNamed,
      let changed = try reader.changedRows(
        of: query.className, after: seen.mark.token, limit: Self.mostRows)
    {
      guard !changed.isEmpty else { return nil }
      var list = seen.list
      if let entering = try reader.records(query, among: changed) {
        switch list.take(changed, entering: entering) {
        case .unchanged: return nil
        case .changed: return list
        case .unknown: break
        }
      }
    }
    let rows = try reader.records(query)
    return rows == seen.list.rows ? nil : QueriedList(query, rows: rows, schema: reader.schema)
  }
}

extension Query {
  /// The same query of some rows alone: the store itself decides whether its condition holds for them.
  fileprivate func among(_ localIDs: Set<LocalID>) -> Query {
    let ids = Condition.oneOf("localId", localIDs.sorted().map { .integer($0.rawValue) })
    return Query(
      className, where: condition.map { ids && $0 } ?? ids, orderedBy: [], limit: nil, offset: 0)
  }
}

extension SyncReader {
  /// Those of some rows that a query has; nil for a query that could not name these rows too.
  fileprivate func records(
    _ query: Query, among localIDs: Set<LocalID>
  ) throws(StoreError) -> [Record]? {
    do throws(StoreError) {
      return try records(query.among(localIDs))
    } catch {
      guard error.code == .queryTooLarge else { throw error }
      return nil
    }
  }

  /// Whether history names rows of some classes after a token, or cannot tell.
  fileprivate func mayHaveChanged(
    _ classes: Set<String>, since token: HistoryToken, limit: Int
  ) throws(StoreError) -> Bool {
    for className in classes {
      let changed = try changedRows(of: className, after: token, limit: limit)
      guard let changed, changed.isEmpty else { return true }
    }
    return false
  }

  /// The rows of a class that history names after a token; nil if there are more than a limit, or history does not know.
  fileprivate func changedRows(
    of className: String, after token: HistoryToken, limit: Int
  ) throws(StoreError) -> Set<LocalID>? {
    let changes: [Change]
    do throws(StoreError) {
      changes = try self.changes(after: token, limit: limit + 1)
    } catch {
      guard error.code == .historyPruned else { throw error }
      return nil
    }
    guard changes.count <= limit else { return nil }
    var rows: Set<LocalID> = []
    for change in changes where change.className == className {
      let (first, last) = (change.localIDs.lowerBound.rawValue, change.localIDs.upperBound.rawValue)
      // Another program may append any numbers to the log.
      let (count, isHuge) = last.subtractingReportingOverflow(first)
      guard !isHuge, count < limit - rows.count else { return nil }
      rows.formUnion((first...last).map(LocalID.init(rawValue:)))
    }
    return rows
  }
}
