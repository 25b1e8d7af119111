// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning

/// The pages of members that one constraint finds: the next query, and the ids so far.
///
/// It ends with an empty page, because servers silently lower a limit.
struct MemberListing {
  private let constraint: ParseConstraint
  private let limit: Int
  private var paging = ObjectIDPaging()
  private var isComplete = false
  private(set) var members: [String] = []

  init(_ constraint: ParseConstraint, limit: Int) {
    self.constraint = constraint
    self.limit = limit
  }

  /// The next query; nil after the last one.
  var nextQuery: ParseQuery? {
    guard !isComplete else { return nil }
    return ParseQuery(
      paging.rest(of: constraint), order: ["objectId"], keys: ["objectId"], limit: limit,
      counts: false)
  }

  /// Takes the page of the query.
  mutating func absorb(_ page: ParsePage) throws(ClassError) {
    let ids = page.records.map(\.objectID) + page.failures.compactMap(\.objectID)
    members += ids
    isComplete = page.rowCount == 0
    if !isComplete { try paging.take(page) }
  }
}
