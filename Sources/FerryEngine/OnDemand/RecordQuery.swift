// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

/// The pages of the records that a query asks for, each imported as it comes.
///
/// It pages by object id, as lookups do. So a record that changes meanwhile comes once, and a limit that the server silently
/// lowers costs requests, not records. A count beside the first page says whether it has all.
struct RecordQuery {
  let context: ClassContext
  let constraint: ParseConstraint?
  /// The greatest number of records to bring.
  let limit: Int

  /// The records that came.
  struct Result {
    var objectIDs: [String] = []
    var unreadable: [String] = []
    /// Whether all records came.
    var isComplete = false
  }

  private var entity: Entity { context.entity }

  /// Asks to the end, or up to the limit.
  func run() throws(ClassError) -> Result {
    var result = Result()
    var reader = PageReader(entity, clientKeyField: context.options.clientKeyField)
    var paging = ObjectIDPaging()
    var size = RequestSize(context.options.pageSize)
    var counts = try !context.state(.classState(entity.name)).isCountForbidden
    var total: Int?
    let importer = RecordImport(context: context)
    while result.objectIDs.count + result.unreadable.count < limit {
      try context.checkCancellation()
      let query = ParseQuery(
        paging.rest(of: constraint ?? .everything), order: ["objectId"],
        keys: entity.wireKeys + [context.options.clientKeyField], limit: size.current,
        counts: counts)
      let page: ParsePage
      do {
        page = try context.page(query, by: &reader)
      } catch .failsClass(.tooLarge(let error)) {
        guard size.halve() else { throw .failsClass(.tooLarge(error)) }
        continue
      } catch .failsClass(let failure) where counts && failure.isForbidden {
        // Listing and counting are separate permissions.
        counts = false
        continue
      }
      if page.rowCount == 0 {
        result.isComplete = true
        return result
      }
      try paging.take(page)
      result.objectIDs += page.records.map(\.objectID)
      result.unreadable += page.failures.compactMap(\.objectID)
      try importer.take(page.records, page.failures)
      total = page.count ?? total
      if let count = page.count, count <= page.rowCount {
        result.isComplete = true
        return result
      }
      // A larger count only says that there is another page.
      counts = false
    }
    let count = result.objectIDs.count + result.unreadable.count
    result.isComplete = total.map { $0 <= count } ?? false
    return result
  }
}

extension ParseConstraint {
  /// Holds for each record; with the master key, a count without a constraint would be an estimate.
  fileprivate static let everything = compare(
    "createdAt", .greaterThanOrEqual, .date(.beforeAllStamps))
}
