// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

/// Brings the server's records of a query into the store, and leaves what came in the ledger.
struct FetchStage: Stage {
  let name: StageName? = nil
  let entity: Entity
  let query: Query
  /// The greatest number of records to bring.
  let limit: Int

  func run(in context: StageContext) throws(SyncError) {
    context.ledger.fetched(try answer(in: ClassContext(entity, in: context)))
  }

  private func answer(in context: ClassContext) throws(SyncError) -> FetchedRecords {
    do {
      return try fetch(in: context)
    } catch {
      throw SyncError(
        failed: try error.failure(), of: entity.name,
        isLoggedIn: context.server.session.token != nil)
    }
  }

  private func fetch(in context: ClassContext) throws(ClassError) -> FetchedRecords {
    let asked = query.askedRecords(in: context.schema)
    var parts = try filter.map { [$0] } ?? []
    switch asked.selection {
    case .nothing: return FetchedRecords(records: [], isExact: asked.isExact, isComplete: true)
    case .some(let constraint): parts.append(constraint)
    case .everything: break
    }
    if let wanted = query.limit, wanted <= 0 {
      return FetchedRecords(records: [], isExact: true, isComplete: true)
    }
    let bound = query.limit == nil ? nil : QueryBound(query, of: entity, isExact: asked.isExact)
    let end = try bound?.end(among: parts, upTo: limit, in: context)
    var result = try records(of: parts + (end.map { [$0.constraint] } ?? []), in: context)
    // Records up to the end that became no row, such as those in quarantine, leave it to later ones to fill the answer.
    if let end, try isShort(upTo: end, in: context) {
      result = try records(of: parts, in: context)
    }
    let references = try context.read { reader throws(StoreError) in
      try reader.records(of: entity.name, objectIDs: result.objectIDs).map(\.reference)
    }
    return FetchedRecords(
      records: references, unreadable: result.unreadable, isExact: asked.isExact,
      isComplete: result.isComplete)
  }

  private func records(
    of parts: [ParseConstraint], in context: ClassContext
  ) throws(ClassError) -> RecordQuery.Result {
    let whole: ParseConstraint? = parts.isEmpty ? nil : parts.count == 1 ? parts[0] : .all(parts)
    return try RecordQuery(context: context, constraint: whole, limit: limit).run()
  }

  /// Whether the store has fewer rows of the query up to an end than the query needs.
  ///
  /// A later row of the store does not count: records that have not come may belong before it.
  private func isShort(
    upTo end: QueryBound.End, in context: ClassContext
  ) throws(ClassError) -> Bool {
    let condition = query.condition.map { $0 && end.condition } ?? end.condition
    return try context.read { reader throws(StoreError) in
      try reader.count(of: entity.name, where: condition) < query.fromFirstRow.limit ?? .max
    }
  }

  /// The class's filter: a fetch brings no record that a sync would take out again.
  private var filter: ParseConstraint? {
    get throws(ClassError) {
      do {
        return try entity.filterConstraint()
      } catch {
        throw .endsRun(SyncError(error))
      }
    }
  }
}

extension SyncError {
  /// The error of a fetch that the server, or the store, refused for the class.
  fileprivate init(failed failure: ClassFailure, of className: String, isLoggedIn: Bool) {
    let code: Code =
      switch failure {
      case .refused(let error):
        switch error.meaning {
        case .malformed, .cut: .malformedData
        case .failed, .outcomeUnknown: .tryAgain
        // The server shows the class only to users.
        case .notFoundOrForbidden where !isLoggedIn: .loginNeeded
        default: .queryRefused
        }
      case .unreadable: .malformedData
      case .tooLarge: .queryRefused
      case .storeRefuses: .localStorage
      }
    self.init(
      code,
      "The records of \(className) could not be fetched. Rows in the store and unsent changes stay as they are; "
        + "records that came before are kept. \(failure)",
      cause: failure)
  }
}
