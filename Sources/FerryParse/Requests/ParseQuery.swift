// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// What to ask of a class: which rows, which of their fields, in which order.
///
/// Only what means the same on every database behind a Parse Server can be said.
package struct ParseQuery: Sendable, Equatable {
  /// Which rows; nil for all that may be read.
  package var constraint: ParseConstraint?
  /// Field names; a `-` in front means descending.
  package var order: [String] = []
  /// The fields wanted beside `objectId`, `createdAt`, `updatedAt` and `ACL`; nil for all.
  package var keys: [String]?
  /// The most rows of the answer; the server may give fewer without saying so.
  package var limit: Int?
  package var skip: Int?
  /// Whether to count all rows that match, whatever the limit.
  package var counts = false

  package init(
    _ constraint: ParseConstraint? = nil, order: [String] = [], keys: [String]? = nil,
    limit: Int? = nil, skip: Int? = nil, counts: Bool = false
  ) {
    self.constraint = constraint
    self.order = order
    self.keys = keys
    self.limit = limit
    self.skip = skip
    self.counts = counts
  }

  /// The parameters as they stand in a body.
  package var parameters: [String: Value] {
    var parameters: [String: Value] = [:]
    if let constraint { parameters["where"] = .object(constraint.wire) }
    if !order.isEmpty { parameters["order"] = .string(order.joined(separator: ",")) }
    if let keys { parameters["keys"] = .string(keys.joined(separator: ",")) }
    if let limit { parameters["limit"] = .integer(Int64(max(limit, 0))) }
    if let skip { parameters["skip"] = .integer(Int64(max(skip, 0))) }
    if counts { parameters["count"] = 1 }
    return parameters
  }
}
