// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse
import Foundation

/// One chunk of a lookup: the query to ask next, and what was found so far.
struct LookupListing {
  private let entity: Entity
  private let field: String
  private let values: [String]
  private let keys: [String]
  private let clientKeyField: String
  private var last: String?
  private var isComplete = false
  private(set) var found: [ServerRecord] = []
  private(set) var failures: [RecordFailure] = []

  init(
    entity: Entity, field: String, values: [String], keys: [String]?, clientKeyField: String
  ) {
    self.entity = entity
    self.field = field
    self.values = values
    self.clientKeyField = clientKeyField
    self.keys = (keys ?? entity.wireKeys) + [clientKeyField]
  }

  /// The next query; nil when all that is there has been found.
  var nextQuery: ParseQuery? {
    guard !isComplete, !values.isEmpty else { return nil }
    var constraint = ParseConstraint.oneOf(field, values.map(Value.string))
    if let last {
      constraint = .all([constraint, .compare("objectId", .greaterThan, .string(last))])
    }
    return ParseQuery(constraint, order: ["objectId"], keys: keys, limit: values.count)
  }

  mutating func absorb(_ answer: HTTPResponse) throws {
    var reader = try PageReader(entity, clientKeyField: clientKeyField)
    let page = try reader.read(answer.body)
    found += page.records
    failures += page.failures
    let isEveryIDFound = field == "objectId" && found.count >= values.count
    isComplete = page.rowCount == 0 || isEveryIDFound || page.lastKey?.objectID == last
    last = page.lastKey?.objectID ?? last
  }
}
