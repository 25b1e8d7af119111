// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse
import FerryPlanning
import FerryStore
import Foundation

/// The queries of a comparison in one class: counts, lists of ids and versions, and absence checks.
struct ComparisonQueries {
  let context: ClassContext

  private var entity: Entity { context.entity }

  /// The numbers of records created within ranges, in order.
  func counts(_ ranges: [RangeComparison.TimeRange]) throws(ClassError) -> [Int] {
    let queries = try ranges.map { range throws(ClassError) in
      ParseQuery(try constraint(range), keys: [], limit: 0, counts: true)
    }
    if ranges.count > 1, try batchesWork() {
      let limit = try context.state(.capabilities).batchLimit
      return try batched(queries, of: min(limit ?? .max, RangeComparison.parts))
    }
    let requests = try queries.map { query throws(ClassError) in try context.request(query) }
    var counts: [Int] = []
    for response in try context.stage.responses(to: requests) {
      do {
        counts.append(try ParseResponses().count(response))
      } catch {
        throw ClassError(error)
      }
    }
    return counts
  }

  private func batchesWork() throws(ClassError) -> Bool {
    try context.endingRun { () throws(SyncError) in try BatchProbe(context: context.stage).works() }
  }

  private func batched(_ queries: [ParseQuery], of size: Int) throws(ClassError) -> [Int] {
    let batches = queries.chunks(of: size)
    let requests = try batches.map { batch throws(ClassError) in
      try context.endingRun { () throws(SyncError) in
        try context.stage.request(reading: batch.map { (entity.name, $0) })
      }
    }
    var counts: [Int] = []
    for (batch, response) in zip(batches, try context.stage.responses(to: requests)) {
      do {
        for page in try ParseResponses().batchPages(response, count: batch.count) {
          counts.append(try Self.count(on: page.get()))
        }
      } catch {
        throw ClassError(error)
      }
    }
    return counts
  }

  private static func count(on page: Data) throws(ParseError) -> Int {
    guard let count = try? PageOutline(page, reader: JSONReader()).count else { throw malformed }
    return count
  }

  private static let malformed = ParseError(status: 200, meaning: .malformed)

  /// Ids and versions of the records created within a range, up to the empty page or to a page whose count says
  /// that it has all rows.
  ///
  /// If the server may be asked to count, a page that is empty only because its rows are hidden
  /// does not end the list.
  func list(_ range: RangeComparison.TimeRange, counts: Bool) throws(ClassError) -> [RangeDifference
    .Listed]
  {
    let entity = comparedEntity
    var listed: [RangeDifference.Listed] = []
    var reader = PageReader(entity)
    var paging = ObjectIDPaging()
    var hidden = HiddenRows()
    var asksCount = counts
    var counted: Int?
    var largestPage = 0
    var ceiling: Int?
    var size = RequestSize(context.options.pageSize)
    while true {
      try context.checkCancellation()
      let query = ParseQuery(
        paging.rest(of: try constraint(range)), order: ["objectId"], keys: entity.wireKeys,
        limit: size.current, skip: hidden.skip > 0 ? hidden.skip : nil, counts: asksCount)
      let page: ParsePage
      do {
        page = try context.page(query, by: &reader)
      } catch .failsClass(.tooLarge(let error)) {
        guard size.halve() else { throw .failsClass(.tooLarge(error)) }
        largestPage = 0
        continue
      }
      counted = counted ?? page.count
      if page.rowCount == 0 {
        guard let counted, counted > listed.count else { return listed }
        defer { asksCount = true }
        guard asksCount else { continue }
        let action = hidden.takeEmpty(count: page.count ?? 0, pageSize: largestPage)
        guard action == .query else { return listed }
        continue
      }
      if let count = page.count, hidden.beginsAgain(count: count) { continue }
      try paging.take(page)
      listed += page.listed(of: entity)
      // The count was asked with the page, and nothing is left behind it.
      if hidden.skip == 0, page.count == page.rowCount { return listed }
      if ceiling == nil { ceiling = try rowCeiling(counted: counted) }
      guard listed.count <= ceiling ?? 0 else { throw ClassError(Self.malformed) }
      hidden = HiddenRows()
      largestPage = max(largestPage, page.rowCount)
      asksCount = false
    }
  }

  /// The number of rows from which a list counts as endless.
  private func rowCeiling(counted: Int?) throws(ClassError) -> Int {
    if let counted { return RowCeiling.counted(counted) }
    let local = try context.endingRun { () throws(SyncError) in
      try context.stage.read { reader throws(StoreError) in
        try reader.acknowledgedCount(of: entity.name)
      }
    }
    return RowCeiling.uncounted(context.options.uncountedLimit, local: local)
  }

  /// The constraint for the records of a range that this device keeps.
  private func constraint(_ range: RangeComparison.TimeRange) throws(ClassError) -> ParseConstraint
  {
    do {
      return entity.counted(range.constraint, of: try entity.filterConstraint())
    } catch {
      throw .endsRun(SyncError(error))
    }
  }

  /// The candidates that are deleted; none if that is not certain.
  func gone(
    _ candidates: [String], canary: String?, counts: Bool
  ) throws(ClassError) -> AbsenceCheck.Conclusion {
    var gone: [String] = []
    var reader = PageReader(bareEntity)
    for chunk in candidates.chunks(of: RecordLookup.chunk) {
      var presence = AbsenceCheck(chunk, canary: canary, counts: counts)
      while let query = presence.query {
        try context.checkCancellation()
        let page = try context.page(query, by: &reader)
        presence.take(shown: page.listed(of: bareEntity).map(\.objectID), count: page.count)
      }
      guard case .gone(let ids) = presence.conclusion else { return presence.conclusion }
      gone += ids
    }
    return .gone(gone)
  }

  /// Only ids and versions, which can always be read.
  private var bareEntity: Entity { Entity(entity.name, fields: []) }

  /// Also the mark of deleted records, if there is one, because they have no local row.
  private var comparedEntity: Entity {
    guard case .softDelete(let flag) = entity.deletionStrategy, let field = entity.field(flag)
    else {
      return bareEntity
    }
    guard entity.serializer == nil else { return entity }
    return Entity(entity.name, fields: [field]).deletions(entity.deletionStrategy)
  }
}

extension ParsePage {
  fileprivate func listed(of entity: Entity) -> [RangeDifference.Listed] {
    records.map {
      RangeDifference.Listed(
        objectID: $0.objectID, version: $0.version, isFlagged: entity.isFlagged($0))
    }
      + failures.compactMap { failure in
        failure.objectID.map { RangeDifference.Listed(objectID: $0, version: failure.version) }
      }
  }
}

extension RangeComparison.TimeRange {
  fileprivate var constraint: ParseConstraint {
    .all([
      .compare("createdAt", .greaterThanOrEqual, .date(lowerBound)),
      .compare("createdAt", .lessThan, .date(upperBound)),
    ])
  }
}
