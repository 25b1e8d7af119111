// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning

/// One chunk of a lookup: its next query and the records found so far.
struct LookupListing {
  private let field: String
  private let values: [String]
  private let keys: [String]
  private var paging = ObjectIDPaging()
  private var isComplete = false
  private(set) var found: [ServerRecord] = []
  private(set) var failures: [RecordFailure] = []

  init(
    entity: Entity, field: String, values: [String], keys: [String]?, clientKeyField: String
  ) {
    self.field = field
    self.values = values
    self.keys = (keys ?? entity.wireKeys) + [clientKeyField]
  }

  /// The next query; nil after the last one.
  var nextQuery: ParseQuery? {
    guard !isComplete, !values.isEmpty else { return nil }
    let constraint = paging.rest(of: .oneOf(field, values.map(Value.string)))
    return ParseQuery(constraint, order: ["objectId"], keys: keys, limit: values.count)
  }

  mutating func absorb(_ page: ParsePage) throws(ClassError) {
    found += page.records
    failures += page.failures
    // A value belongs to one record, or to a few; something that makes up rows has no end.
    guard found.count + failures.count <= 4 * values.count + 100 else {
      throw ClassError(ParseError(status: 200, meaning: .malformed))
    }
    let isEveryIDFound = field == "objectId" && found.count >= values.count
    isComplete = page.rowCount == 0 || isEveryIDFound
    if !isComplete { try paging.take(page) }
  }
}
