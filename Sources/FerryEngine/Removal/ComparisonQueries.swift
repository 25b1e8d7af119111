// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse
import FerryPlanning
import FerryStore
import Foundation

/// What a comparison asks the server of one class: counts, lists of ids and versions, and who is there.
struct ComparisonQueries {
  let context: StageContext
  let entity: Entity

  private var requests: ParseRequests { ParseRequests(context.server) }

  /// The numbers of records created within ranges, in their order.
  func counts(_ ranges: [RangeComparison.TimeRange]) throws -> [Int] {
    let queries = try ranges.map {
      ParseQuery(try constraint($0), keys: [], limit: 0, counts: true)
    }
    if ranges.count > 1, try BatchProbe(context: context).works() {
      let limit = try context.store.syncRead { try $0.state(.capabilities).batchLimit }
      return try batched(queries, of: min(limit ?? .max, RangeComparison.parts))
    }
    let asked = try queries.map { try requests.find(entity.name, $0) }
    return try context.answers(to: asked).map { try Self.count(ParseResponses().count($0)) }
  }

  private func batched(_ queries: [ParseQuery], of size: Int) throws -> [Int] {
    let batches = queries.chunks(of: size)
    let asked = try batches.map { batch in
      try requests.batch(reading: batch.map { (entity.name, $0) })
    }
    var counts: [Int] = []
    var reader = try PageReader(bareEntity)
    for (batch, answer) in zip(batches, try context.answers(to: asked)) {
      for page in try ParseResponses().batchPages(answer, count: batch.count) {
        counts.append(try Self.count(reader.read(page.get()).count))
      }
    }
    return counts
  }

  private static func count(_ count: Int?) throws -> Int {
    guard let count else { throw malformed }
    return count
  }

  private static let malformed = ParseError(status: 200, meaning: .malformed)

  /// Ids and versions of the records created within a range, to its empty page.
  ///
  /// Where the server may be asked to count, a page that is empty because its rows are hidden is not
  /// taken for the end.
  func list(_ range: RangeComparison.TimeRange, counts: Bool) throws -> [RangeDifference.Listed] {
    let entity = comparedEntity
    var listed: [RangeDifference.Listed] = []
    var reader = try PageReader(entity)
    var last: String?
    var hidden = HiddenRows()
    var asksCount = counts
    var counted: Int?
    var largestPage = 0
    while true {
      try context.checkCancellation()
      var constraints = [try constraint(range)]
      if let last { constraints.append(.compare("objectId", .greaterThan, .string(last))) }
      let query = ParseQuery(
        .all(constraints), order: ["objectId"], keys: entity.wireKeys,
        limit: context.options.pageSize, skip: hidden.skip > 0 ? hidden.skip : nil,
        counts: asksCount)
      let page = try reader.read(context.answer(to: requests.find(entity.name, query)).body)
      counted = counted ?? page.count
      if page.rowCount == 0 {
        guard let counted, counted > listed.count else { return listed }
        defer { asksCount = true }
        guard asksCount else { continue }
        let step = hidden.takeEmpty(count: page.count ?? 0, pageSize: largestPage)
        guard step == .ask else { return listed }
        continue
      }
      if let count = page.count, hidden.beginsAgain(count: count) { continue }
      // Without a place to go on from, what is not shown would seem to be gone.
      guard let next = page.lastKey?.objectID, next != last else { throw Self.malformed }
      last = next
      listed += page.listed(of: entity)
      hidden = HiddenRows()
      largestPage = max(largestPage, page.rowCount)
      asksCount = false
    }
  }

  /// The records within a range that belong here.
  private func constraint(_ range: RangeComparison.TimeRange) throws -> ParseConstraint {
    entity.counted(range.constraint, of: try entity.filterConstraint())
  }

  /// Which of the candidates are gone; none where that is not certain.
  func gone(_ candidates: [String], canary: String?, counts: Bool) throws -> AbsenceCheck.Conclusion
  {
    var gone: [String] = []
    var reader = try PageReader(bareEntity)
    for chunk in candidates.chunks(of: RecordLookup.chunk) {
      var presence = AbsenceCheck(chunk, canary: canary, counts: counts)
      while let query = presence.query {
        try context.checkCancellation()
        let page = try reader.read(context.answer(to: requests.find(entity.name, query)).body)
        presence.take(shown: page.listed(of: bareEntity).map(\.objectID), count: page.count)
      }
      guard case .gone(let ids) = presence.conclusion else { return presence.conclusion }
      gone += ids
    }
    return .gone(gone)
  }

  /// Ids and versions, and nothing that could fail to be read.
  private var bareEntity: Entity { Entity(entity.name, fields: []) }

  /// The same, and the mark of deleted records, where there is one: they have no row here.
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
